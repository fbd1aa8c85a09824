import type { Exchange } from '../world/exchange.ts';
import type { Basis } from '../world/world.ts';
import type { SessionHistory } from './history.ts';

/** A write of a client. The checks find it in the log by its marker. */
export interface Write {
  readonly marker: string;
  readonly isKeyed: boolean;
  deliveries: number;
  /** Number of answers which said that nothing was stored. */
  refusals: number;
  isAcknowledged: boolean;
}

/** A request that was counted in the rate window of a token. */
interface Admitted {
  readonly token: string;
  readonly beganAt: number;
}

export interface Book {
  readonly world: Basis;
  readonly histories: Map<string, SessionHistory>;
  readonly writes: Map<string, Write>;
  /** Maps each marker, a text of only one write, to the number of commits in the log that contain the marker. */
  readonly marked: Map<string, number>;
  /** Markers of commits that a rollback removed. */
  readonly lost: Set<string>;
  /** Maps role and idempotency key to the first successful answer. */
  readonly answers: Map<string, string>;
  readonly admitted: Admitted[];
  readonly open: Set<Exchange>;
  history(sessionId: string): SessionHistory;
  violate(text: string): void;
}

/** Whether no rollback happened since the request began. Only then can its answer be compared with the log. */
export const isComparable = ({ history }: Book, { facts, epoch }: Exchange): boolean =>
  history(facts.sessionId).epoch === epoch;

/** Records that an answer showed this event. From then on every answer must reflect the event. */
export function vouch(book: Book, exchange: Exchange, seq: number): void {
  const history = book.history(exchange.facts.sessionId);
  if (isComparable(book, exchange) && seq <= history.events.length) history.vouched = Math.max(history.vouched, seq);
}

export const named = ({ number, facts, process }: Exchange): string =>
  `#${number} ${facts.name} of ${facts.role} at ${process.name}`;
