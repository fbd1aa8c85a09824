import type { Agent } from './roles.ts';

/** The latest call that an agent made. */
export interface LastCall {
  /** Time of the call, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether a long-poll of the agent is waiting. */
  readonly isWaiting: boolean;
}

/** The latest call of each role in one session. Leaves out roles whose latest call is not known. */
export type LastCalls = Readonly<Partial<Record<Agent, LastCall>>>;

/** The present time and the latest call of each agent. An answer to the owner can use them in addition to the state. */
export interface Presence {
  /** The present time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Number of milliseconds without a call after which an agent that has a task counts as silent. */
  readonly silentAfterMs: number;
  readonly calls: LastCalls;
}
