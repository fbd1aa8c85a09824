import type { Agent } from './roles.ts';

/** The last call that an agent made. */
export interface LastCall {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether a long-poll of the agent is waiting. */
  readonly isWaiting: boolean;
}

/** The last call of each role in one session. Leaves out roles whose last call is not known. */
export type LastCalls = Readonly<Partial<Record<Agent, LastCall>>>;

/** The present time and the last calls of the agents. An answer to the owner can use them in addition to the state. */
export interface Presence {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Number of milliseconds without a call after which an agent that has a task counts as silent. */
  readonly silentAfterMs: number;
  readonly calls: LastCalls;
}
