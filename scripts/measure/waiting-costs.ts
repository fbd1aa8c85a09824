import { readFileSync } from 'node:fs';

/** The requests that a client sends to its model in one hour of waiting, as measured. */
export interface WaitingCost {
  readonly requests: number;
  /** Bytes of the first request. */
  readonly first: number;
  /** Number of bytes by which each request is longer than the request before it, because the conversation grows. */
  readonly growth: number;
}

/** The ways to wait, in the order of the table. */
export const WAYS = ['tool', 'wait', 'hook', 'run'] as const;
export type Way = (typeof WAYS)[number];

/** The name and version of a client, and the cost of each way to wait. Ways that the client does not have are left out. */
export interface ClientCosts {
  readonly client: string;
  readonly ways: Readonly<Partial<Record<Way, WaitingCost>>>;
}

export interface WaitingCosts {
  /** Date and machine of the measurement. */
  readonly measured: string;
  readonly machine: string;
  readonly clients: readonly ClientCosts[];
}

/** Path of the recorded costs, relative to the root of the workspace. */
export const WAITING_COSTS_FILE = 'scripts/measure/waiting-costs.json';

export function readWaitingCosts(): WaitingCosts {
  const costs: WaitingCosts = JSON.parse(readFileSync(WAITING_COSTS_FILE, 'utf8'));
  return costs;
}

/** Size of all requests of an hour in bytes. Each request is `growth` bytes longer than the request before it. */
export const bytesOf = ({ requests, first, growth }: WaitingCost): number =>
  requests * first + (growth * requests * (requests - 1)) / 2;
