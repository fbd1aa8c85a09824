import { readFileSync } from 'node:fs';

/** The requests that a client sends to its model in one hour of waiting. */
export interface WaitingCost {
  readonly requests: number;
  /** Bytes of the first request. */
  readonly first: number;
  /** Number of bytes by which each request is longer than the previous request, because the conversation grows. */
  readonly growth: number;
}

/** The ways to wait, in the order of the table in docs/agent-costs.md. */
export const WAYS = ['tool', 'wait', 'hook', 'run'] as const;
export type Way = (typeof WAYS)[number];

/** A client with its version, and the cost of each way to wait that the client has. */
export interface ClientCosts {
  readonly client: string;
  readonly ways: Readonly<Partial<Record<Way, WaitingCost>>>;
}

export interface WaitingCosts {
  /** Date of the measurement, such as `2026-11-22`. */
  readonly measured: string;
  /** Platform and Node version of the machine that measured, such as `linux x64, Node 20.20.2`. */
  readonly machine: string;
  readonly clients: readonly ClientCosts[];
}

/** Path of the recorded costs, relative to the root of the workspace. */
export const WAITING_COSTS_FILE = 'scripts/measure/waiting-costs.json';

export function readWaitingCosts(): WaitingCosts {
  const costs: WaitingCosts = JSON.parse(readFileSync(WAITING_COSTS_FILE, 'utf8'));
  return costs;
}

/** Total bytes of the requests of an hour. Each request is `growth` bytes longer than the previous request. */
export const bytesOf = ({ requests, first, growth }: WaitingCost): number =>
  requests * first + (growth * requests * (requests - 1)) / 2;
