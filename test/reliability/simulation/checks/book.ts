import type { Exchange } from '../world/exchange.ts';
import type { Basis } from '../world/world.ts';
import type { SessionHistory } from './history.ts';

/** A write that can be recognised in the log. */
export interface Write {
  readonly marker: string;
  readonly isKeyed: boolean;
  deliveries: number;
  /** Answers that say for certain that nothing was stored. */
  refusals: number;
  isAcknowledged: boolean;
}

/** A request that counted in the window of its token. */
interface Admitted {
  readonly token: string;
  readonly beganAt: number;
}

/** What all checks know together. */
export interface Book {
  readonly world: Basis;
  readonly histories: Map<string, SessionHistory>;
  readonly writes: Map<string, Write>;
  /** How many commits of the log hold a marker. */
  readonly marked: Map<string, number>;
  /** Markers of commits that a rollback removed. */
  readonly lost: Set<string>;
  /** The first answer under each idempotency key. */
  readonly answers: Map<string, string>;
  readonly admitted: Admitted[];
  readonly open: Set<Exchange>;
  history(sessionId: string): SessionHistory;
  violate(text: string): void;
}

/** Whether nothing was rolled back while the request ran, so that its answer can be held against the log. */
export const isComparable = ({ history }: Book, { facts, epoch }: Exchange): boolean =>
  history(facts.sessionId).epoch === epoch;

/** An answer showed this event: whoever asks from now on must see it too. */
export function vouch(book: Book, exchange: Exchange, seq: number): void {
  const history = book.history(exchange.facts.sessionId);
  if (isComparable(book, exchange) && seq <= history.events.length) history.vouched = Math.max(history.vouched, seq);
}

export const named = ({ number, facts, process }: Exchange): string =>
  `#${number} ${facts.name} of ${facts.role} at ${process.name}`;
