import type { Exchange } from '../world/exchange.ts';
import type { Reply } from '../world/wire.ts';
import { type Book, isComparable, named, vouch, type Write } from './book.ts';
import { numberIn, parse, textIn } from './reading.ts';

/** Whether the status means that nothing was stored. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500;

export function noteDelivery({ writes }: Book, marker: string, isKeyed: boolean): void {
  const write: Write = writes.get(marker) ?? {
    marker,
    isKeyed,
    deliveries: 0,
    refusals: 0,
    isAcknowledged: false,
  };
  write.deliveries += 1;
  writes.set(marker, write);
}

/** Checks that an acknowledged write is in the log, and that the answer to a turn describes its event. */
export function checkWrite(book: Book, exchange: Exchange, reply: Reply): void {
  const { marker, key, sessionId } = exchange.facts;
  const write = book.writes.get(marker ?? '');
  if (write && isRefusal(reply.status)) write.refusals += 1;
  if (key !== undefined) checkKey(book, exchange, reply);
  if (!write || reply.status !== 200) return;
  write.isAcknowledged = true;
  if (!isComparable(book, exchange)) return;
  const history = book.history(sessionId);
  const commit = history.markers.findIndex((markers) => markers.includes(write.marker));
  const moment = history.moments[commit];
  if (!moment) book.violate(`writes: ${named(exchange)} was acknowledged and is not in the log`);
  vouch(book, exchange, moment?.seq ?? 0);
  if (exchange.facts.operation === 'turn') checkTurnAnswer(book, exchange, reply);
}

function checkTurnAnswer(book: Book, exchange: Exchange, { body }: Reply): void {
  const { sessionId, role } = exchange.facts;
  const answer = parse(body);
  const event = book.history(sessionId).events[numberIn(answer, 'message_id') - 1];
  const isOwn = event?.kind === 'turn.posted' && event.actor === role;
  const isSame =
    event?.at === textIn(answer, 'at') && event.data.turn_index === numberIn(answer, 'turn_index') && isOwn;
  if (!isSame) book.violate(`turns: the answer of ${named(exchange)} does not describe its event`);
}

/** Checks that all successful answers for one idempotency key are equal. */
function checkKey(book: Book, exchange: Exchange, { status, body }: Reply): void {
  const { key = '', role } = exchange.facts;
  if (book.lost.has(key)) return;
  const name = `${role} ${key}`;
  const first = book.answers.get(name);
  if (status === 200 && first === undefined) book.answers.set(name, body);
  else if (status === 200 && first !== body)
    book.violate(`keys: ${named(exchange)} was answered ${first} and then ${body}`);
  if (!exchange.wasKeyAcknowledged || !isComparable(book, exchange)) return;
  if (![200, 401, 429, 503].includes(status))
    book.violate(`keys: ${named(exchange)} was acknowledged before and is now answered ${status} ${body}`);
}

/**
 * Checks at the end of the run that each acknowledged write is in the log, that no refused write is in the log, and
 * that each write with an idempotency key is in the log at most once.
 */
export function checkWrites({ writes, marked, lost, violate }: Book): void {
  for (const { marker, isKeyed, deliveries, refusals, isAcknowledged } of writes.values()) {
    const times = marked.get(marker) ?? 0;
    if (times > (isKeyed ? 1 : deliveries)) violate(`writes: ${marker} is in the log ${times} times`);
    if (isAcknowledged && !lost.has(marker) && times === 0) violate(`writes: ${marker} was acknowledged and is gone`);
    if (refusals === deliveries && times > 0) violate(`writes: ${marker} was refused and is in the log`);
  }
}
