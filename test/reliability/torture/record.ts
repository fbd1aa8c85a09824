import type { Agent, Builder } from '@parley/missions';

/** A write that was answered with success. Times are those of `performance.now()`. */
export interface Acknowledgement {
  /** Found in the log once, such as `turn:a-17`. */
  readonly key: string;
  readonly by: Builder;
  readonly at: number;
  /** What it was answered with, as JSON text. */
  readonly answer: string;
}

/** One look at where a session stands, held or not. */
export interface Look {
  readonly by: Agent;
  readonly isHeld: boolean;
  /** The last message that the agent says it has seen. */
  readonly after: number;
  readonly sentAt: number;
  /** When it was answered, or when the run ended without an answer. */
  readonly at: number;
  /** The last message that the answer knows of; null where none came. */
  readonly head: number | null;
}

/** One page that a reader was given. */
export interface Page {
  /** Readers follow a cursor of their own. */
  readonly reader: string;
  readonly of: 'messages' | 'events';
  readonly after: number;
  /** What the reader had behind it when it asked. */
  readonly atLeast: number;
  readonly ids: readonly number[];
  readonly next: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  /** Keys of all writes that were sent, answered or not. */
  readonly sent: Set<string>;
  readonly acknowledged: Acknowledgement[];
  readonly looks: Look[];
  readonly pages: Page[];
}

/** A time in which the database could answer nobody. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** What the clients saw, and what was done to the service meanwhile. */
export interface RunRecord {
  readonly sessions: readonly SessionRecord[];
  readonly outages: Outage[];
  /** Answers that no outage excuses. */
  readonly wrong: string[];
  /** Processes that ended by themselves or did not come back. */
  readonly fallen: string[];
  /** Work that was not done when the service was left in peace. */
  readonly unfinished: string[];
  /** Requests without a result, by reason. */
  readonly away: Map<string, number>;
  /** Faults that were made, by kind. */
  readonly faults: Map<string, number>;
  requests: number;
}

export const openRecord = (sessionIds: readonly string[]): RunRecord => ({
  sessions: sessionIds.map((sessionId) => ({ sessionId, sent: new Set(), acknowledged: [], looks: [], pages: [] })),
  ...{ outages: [], wrong: [], fallen: [], unfinished: [], away: new Map(), faults: new Map(), requests: 0 },
});

export const countIn = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
