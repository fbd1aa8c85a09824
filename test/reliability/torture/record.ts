import type { Agent, Builder } from '@parley/missions';

/** A write that was answered with success. Times are by `performance.now()`. */
export interface Acknowledgement {
  /** Occurs once in the log, such as `turn:a-17`. */
  readonly key: string;
  readonly by: Builder;
  readonly at: number;
  /** Its answer, as JSON text. */
  readonly answer: string;
}

/** One read of the session's state, held or not. */
export interface Look {
  readonly by: Agent;
  readonly isHeld: boolean;
  /** The last message that the agent has seen, as sent in the request. */
  readonly after: number;
  readonly sentAt: number;
  /** Time of the answer, or the end of the run if there was no answer. */
  readonly at: number;
  /** The last message in the answer; null without an answer. */
  readonly head: number | null;
}

/** One page that a reader received. */
export interface Page {
  /** Name of the reader. Each reader has its own cursor. */
  readonly reader: string;
  readonly of: 'messages' | 'events';
  readonly after: number;
  /** The cursor that the reader had reached before this request. */
  readonly atLeast: number;
  readonly ids: readonly number[];
  readonly next: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  /** Keys of all writes that were sent, whether answered or not. */
  readonly sent: Set<string>;
  readonly acknowledged: Acknowledgement[];
  readonly looks: Look[];
  readonly pages: Page[];
}

/** A time span in which the database was down. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** The answers that the clients received, and the faults that were made meanwhile. */
export interface RunRecord {
  readonly sessions: readonly SessionRecord[];
  readonly outages: Outage[];
  /** Answers that are wrong even during an outage. */
  readonly wrong: string[];
  /** Processes that exited by themselves or did not become ready again. */
  readonly fallen: string[];
  /** Work that did not finish after the faults had ended. */
  readonly unfinished: string[];
  /** Reason to the number of requests without a result. */
  readonly away: Map<string, number>;
  /** Kind to the number of faults made. */
  readonly faults: Map<string, number>;
  requests: number;
}

export const openRecord = (sessionIds: readonly string[]): RunRecord => ({
  sessions: sessionIds.map((sessionId) => ({ sessionId, sent: new Set(), acknowledged: [], looks: [], pages: [] })),
  ...{ outages: [], wrong: [], fallen: [], unfinished: [], away: new Map(), faults: new Map(), requests: 0 },
});

export const countIn = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
