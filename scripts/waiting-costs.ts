import { readFileSync } from 'node:fs';

/** The requests to a model in one hour of waiting, from a measured run. */
export interface WaitingCost {
  readonly requests: number;
  /** Bytes of the first request of the wait. */
  readonly first: number;
  /** Bytes by which each further request is longer: the conversation has grown. */
  readonly growth: number;
}

/** The ways to wait, in the order of the table. */
export const WAYS = ['tool', 'wait', 'hook', 'run'] as const;
export type Way = (typeof WAYS)[number];

/** A client with its version, and what each way costs it; a client without hooks has no figure for them. */
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

/** Path of the recorded costs, relative to the root, where every command of the project runs. */
export const WAITING_COSTS_FILE = 'scripts/waiting-costs.json';

export function readWaitingCosts(): WaitingCosts {
  const costs: WaitingCosts = JSON.parse(readFileSync(WAITING_COSTS_FILE, 'utf8'));
  return costs;
}

/** Bytes of all requests of an hour: each is longer than the one before it. */
export const bytesOf = ({ requests, first, growth }: WaitingCost): number =>
  requests * first + (growth * requests * (requests - 1)) / 2;
