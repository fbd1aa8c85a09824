import type { Exchange } from '../world/exchange.ts';
import type { Basis } from '../world/world.ts';
import type { SessionHistory } from './history.ts';

/** A write. The marker is a text in it by which the checks find it in the log. */
export interface Write {
  readonly marker: string;
  readonly isKeyed: boolean;
  deliveries: number;
  /** Number of answers that say that nothing was stored. */
  refusals: number;
  isAcknowledged: boolean;
}

/** A request that was counted in the rate window of its token. */
interface Admitted {
  readonly token: string;
  readonly beganAt: number;
}

/** What the checks know; all of them share it. */
export interface Book {
  readonly world: Basis;
  readonly histories: Map<string, SessionHistory>;
  readonly writes: Map<string, Write>;
  /** By marker, the number of commits in the log that contain it. */
  readonly marked: Map<string, number>;
  /** Markers of commits that a rollback removed. */
  readonly lost: Set<string>;
  /** By role and idempotency key, the first successful answer. */
  readonly answers: Map<string, string>;
  readonly admitted: Admitted[];
  readonly open: Set<Exchange>;
  history(sessionId: string): SessionHistory;
  violate(text: string): void;
}

/** Whether no rollback has happened since the request began. Only then can its answer be compared with the log. */
export const isComparable = ({ history }: Book, { facts, epoch }: Exchange): boolean =>
  history(facts.sessionId).epoch === epoch;

/** Notes that an answer showed this event. Every later answer must reflect the event. */
export function vouch(book: Book, exchange: Exchange, seq: number): void {
  const history = book.history(exchange.facts.sessionId);
  if (isComparable(book, exchange) && seq <= history.events.length) history.vouched = Math.max(history.vouched, seq);
}

export const named = ({ number, facts, process }: Exchange): string =>
  `#${number} ${facts.name} of ${facts.role} at ${process.name}`;
