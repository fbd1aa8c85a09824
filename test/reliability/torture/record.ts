import type { Agent, Builder } from '@parley/missions';

/** A write that succeeded. Times are milliseconds of `performance.now()`. */
export interface Acknowledgement {
  /** A text such as `turn:a-17`, which occurs once in the log. */
  readonly key: string;
  readonly by: Builder;
  readonly at: number;
  readonly answer: string;
}

/** A read of the session's state. `isHeld` is true for a long-poll. */
export interface Look {
  readonly by: Agent;
  readonly isHeld: boolean;
  /** Number of the last message that the agent had read, as in the request. */
  readonly after: number;
  readonly sentAt: number;
  /** Time of the answer. Without an answer, the end of the run. */
  readonly at: number;
  /** Number of the last message in the answer, or null without an answer. */
  readonly head: number | null;
}

export interface Page {
  /** Name of the reader. Every reader has its own cursor. */
  readonly reader: string;
  readonly of: 'messages' | 'events';
  readonly after: number;
  /** Cursor of the reader before this page. The page must not begin before that cursor. */
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

/** A period in which the database was down. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** When a request was sent and answered, in milliseconds of `performance.now()`. */
export interface Span {
  readonly sentAt: number;
  readonly at: number;
}

export interface RunRecord {
  readonly sessions: readonly SessionRecord[];
  readonly outages: Outage[];
  /** The answered requests that did not ask to wait. They show how slow the machine is. */
  readonly unheld: Span[];
  /** Wrong answers that an unavailable database or host does not explain. */
  readonly wrong: string[];
  /** Processes that exited although the test had sent no signal, or did not become ready again. */
  readonly fallen: string[];
  /** Work that was not finished some time after the last fault. */
  readonly unfinished: string[];
  /** Maps a reason to the number of requests whose outcome is unknown. */
  readonly away: Map<string, number>;
  /** Maps a kind of fault to how often it was made. */
  readonly faults: Map<string, number>;
  requests: number;
}

export const openRecord = (sessionIds: readonly string[]): RunRecord => ({
  sessions: sessionIds.map((sessionId) => ({ sessionId, sent: new Set(), acknowledged: [], looks: [], pages: [] })),
  ...{
    outages: [],
    unheld: [],
    wrong: [],
    fallen: [],
    unfinished: [],
    away: new Map(),
    faults: new Map(),
    requests: 0,
  },
});

export const countIn = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
