import type { Agent, Builder } from '@parley/missions';

/** A write that was answered with success. Times are milliseconds of `performance.now()`. */
export interface Acknowledgement {
  /** A text such as `turn:a-17` that occurs once in the log. */
  readonly key: string;
  readonly by: Builder;
  readonly at: number;
  /** The answer to the write, as JSON text. */
  readonly answer: string;
}

/** A read of the session's state; `isHeld` says whether it was a long-poll. */
export interface Look {
  readonly by: Agent;
  readonly isHeld: boolean;
  /** Number of the last message that the agent knew; the request named it. */
  readonly after: number;
  readonly sentAt: number;
  /** When the answer arrived, or when the run ended without an answer. */
  readonly at: number;
  /** Number of the last message in the answer; null if there was no answer. */
  readonly head: number | null;
}

/** One page that a reader received. */
export interface Page {
  /** Name of the reader. Each reader has its own cursor. */
  readonly reader: string;
  readonly of: 'messages' | 'events';
  readonly after: number;
  /** The cursor that the reader had reached; the page must not go back behind it. */
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

/** A span of time in which the database was down. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** What the clients received, and the faults that were made during the run. */
export interface RunRecord {
  readonly sessions: readonly SessionRecord[];
  readonly outages: Outage[];
  /** Answers that are wrong even during an outage. */
  readonly wrong: string[];
  /** Processes that exited without a signal from the test, or did not become ready again. */
  readonly fallen: string[];
  /** Work that was still not finished some time after the last fault. */
  readonly unfinished: string[];
  /** By reason, the number of requests whose outcome is unknown. */
  readonly away: Map<string, number>;
  /** By kind, the number of faults that were made. */
  readonly faults: Map<string, number>;
  requests: number;
}

export const openRecord = (sessionIds: readonly string[]): RunRecord => ({
  sessions: sessionIds.map((sessionId) => ({ sessionId, sent: new Set(), acknowledged: [], looks: [], pages: [] })),
  ...{ outages: [], wrong: [], fallen: [], unfinished: [], away: new Map(), faults: new Map(), requests: 0 },
});

export const countIn = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
