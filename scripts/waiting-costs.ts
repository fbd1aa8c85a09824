import { readFileSync } from 'node:fs';

/** The requests of a client to its model in one hour of waiting, as measured. */
export interface WaitingCost {
  readonly requests: number;
  /** Bytes of the first request. */
  readonly first: number;
  /** Bytes by which each request is longer than the request before it, because the conversation has grown. */
  readonly growth: number;
}

/** The ways to wait, in the order of the table. */
export const WAYS = ['tool', 'wait', 'hook', 'run'] as const;
export type Way = (typeof WAYS)[number];

/** A client (name and version) and what each way of waiting costs it. A way that the client does not have is absent. */
export interface ClientCosts {
  readonly client: string;
  readonly ways: Readonly<Partial<Record<Way, WaitingCost>>>;
}

export interface WaitingCosts {
  /** Date of the measurement, and the machine. */
  readonly measured: string;
  readonly machine: string;
  readonly clients: readonly ClientCosts[];
}

/** Path of the recorded costs, relative to the root of the workspace, in which every command runs. */
export const WAITING_COSTS_FILE = 'scripts/waiting-costs.json';

export function readWaitingCosts(): WaitingCosts {
  const costs: WaitingCosts = JSON.parse(readFileSync(WAITING_COSTS_FILE, 'utf8'));
  return costs;
}

/** Bytes of all requests of an hour. Each request is longer than the request before it by `growth`. */
export const bytesOf = ({ requests, first, growth }: WaitingCost): number =>
  requests * first + (growth * requests * (requests - 1)) / 2;
