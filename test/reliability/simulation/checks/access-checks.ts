import { createHash } from 'node:crypto';
import type { Exchange, Facts } from '../world/exchange.ts';
import type { Reply } from '../world/wire.ts';
import { type Book, isComparable, named, vouch } from './book.ts';
import { latest, momentOf, type SessionHistory } from './history.ts';
import { parse, textIn } from './reading.ts';

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether an answer has already shown the event that ended the token. */
export function isOver(history: SessionHistory, token: string | undefined): boolean {
  const endedBy = token === undefined ? undefined : latest(history).standing.tokens.get(hashOf(token));
  return typeof endedBy === 'number' && endedBy <= history.vouched;
}

/** Checks that a request with an ended token is refused, and that no refusal blames a valid token. */
export function checkAccess(book: Book, exchange: Exchange, { status, body }: Reply): void {
  const { token, sessionId } = exchange.facts;
  if (token === undefined || !isComparable(book, exchange)) return;
  if (exchange.isTokenOver && ![401, 429, 503].includes(status))
    book.violate(`access: ${named(exchange)} began after its token had ended and got ${status}`);
  if (status !== 401) return;
  const history = book.history(sessionId);
  const code = textIn(parse(body), 'error');
  const hash = hashOf(token);
  if (code === 'TOKEN_REVOKED' && typeof latest(history).standing.tokens.get(hash) !== 'number')
    book.violate(`access: ${named(exchange)} was told that its token is revoked`);
  if (code === 'UNAUTHORIZED' && momentOf(history, exchange.floor).standing.tokens.has(hash))
    book.violate(`access: ${named(exchange)} was told that its token is unknown`);
}

/** Checks that an acknowledged change of access is in the log. */
export function checkGrant(book: Book, exchange: Exchange, { status, body }: Reply): void {
  if (status !== 200 || !isComparable(book, exchange)) return;
  const seq = eventOf(book, exchange.facts, body);
  if (seq === undefined) return;
  if (seq === 0) book.violate(`access: ${named(exchange)} was acknowledged and is not in the log`);
  vouch(book, exchange, seq);
}

/**
 * Returns the number of the event that an answer acknowledges, or 0 if the log lacks that event. Returns undefined for
 * an operation that changes no access, and for a `revoke` that revoked nothing.
 */
function eventOf(book: Book, { operation, sessionId }: Facts, body: string): number | undefined {
  const { events } = book.history(sessionId);
  const answer = parse(body);
  const hash = hashOf(textIn(answer, operation === 'redeem' ? 'token' : 'code'));
  if (operation === 'redeem') return events.find(({ data }) => data.token_hash === hash)?.seq ?? 0;
  if (operation === 'invite') return events.find(({ data }) => data.code_hash === hash)?.seq ?? 0;
  if (operation !== 'revoke') return undefined;
  return events.findLast(({ kind, data }) => kind === 'access.revoked' && data.role === answer.role)?.seq;
}
