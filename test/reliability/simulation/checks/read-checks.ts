import { hashOf } from '../../processes/support/contracts.ts';
import type { Exchange } from '../world/exchange.ts';
import type { Reply } from '../world/wire.ts';
import { type Book, isComparable, named, vouch } from './book.ts';
import { latest, type Moment, momentOf } from './history.ts';
import { type Json, numberIn, objectIn, objectsIn, parse, textIn } from './reading.ts';
import { cursorOf, isMessageKind, type ReadEvent, speaker } from './standing.ts';

const PAGE = 50;

/**
 * Checks that an answer shows the log as it was at one moment. By that moment the log must have contained every event
 * that answers had shown before the request began.
 */
export function checkRead(book: Book, exchange: Exchange, { status, body }: Reply): void {
  const answer = parse(body);
  const { operation } = exchange.facts;
  for (const { id, kind } of objectsIn(answer, 'messages'))
    if (!isMessageKind(kind)) book.violate(`reads: ${named(exchange)} shows a hidden event ${id}, ${kind}`);
  if (!isComparable(book, exchange)) return;
  if (status === 409 && answer.error === 'NOT_YOUR_TURN') checkTurnNumber(book, exchange, answer);
  if (status !== 200) return;
  if (operation === 'state') checkState(book, exchange, answer);
  if (operation === 'messages' || operation === 'transcript') checkPage(book, exchange, answer);
  if (operation === 'plan') checkPlan(book, exchange, answer);
  if (operation === 'view') checkHead(book, exchange, objectIn(answer, 'head'));
}

function checkTurnNumber(book: Book, exchange: Exchange, answer: Json): void {
  const history = book.history(exchange.facts.sessionId);
  const told = numberIn(answer, 'turn_index');
  const low = momentOf(history, exchange.floor).standing.turns;
  if (told < low || told > latest(history).standing.turns)
    book.violate(`reads: ${named(exchange)} was refused by turn ${told}; ${low} was known before`);
}

function checkState(book: Book, exchange: Exchange, answer: Json): void {
  const history = book.history(exchange.facts.sessionId);
  const { role } = exchange.facts;
  const shown = history.moments.find(
    ({ seq, standing }) =>
      seq >= exchange.floor && cursorOf(standing, role) === answer.cursor && isShownBy(standing, answer),
  );
  vouch(book, exchange, shown?.seq ?? 0);
  if (shown) return;
  const { cursor, turn_index, status, next_agent } = answer;
  book.violate(
    `reads: ${named(exchange)} shows cursor ${cursor}, turn ${turn_index}, ${status}, ${next_agent}: no moment since event ${exchange.floor}`,
  );
}

const isShownBy = (standing: Moment['standing'], answer: Json): boolean =>
  standing.turns === answer.turn_index &&
  standing.status === answer.status &&
  standing.phase === answer.phase &&
  (standing.phase === 'PLANNING' ? speaker(standing) : null) === answer.next_agent;

/**
 * Checks that the plan shows a revision that was the latest at some moment, and that the contract matches the content
 * hash.
 */
function checkPlan(book: Book, exchange: Exchange, answer: Json): void {
  const history = book.history(exchange.facts.sessionId);
  const { revision_id, content_hash, contract } = answer;
  const moment = history.moments.find(({ seq, standing: { revisions } }) => {
    const latestThen = revisions.at(-1);
    const isSame = (latestThen?.id ?? null) === revision_id && (latestThen?.hash ?? null) === content_hash;
    return seq >= exchange.floor && isSame;
  });
  if (!moment) book.violate(`reads: ${named(exchange)} shows ${revision_id}: no moment since event ${exchange.floor}`);
  if (contract !== null && hashOf(contract) !== content_hash)
    book.violate(`reads: ${named(exchange)} shows a contract that has not the hash of ${revision_id}`);
  vouch(book, exchange, moment?.seq ?? 0);
}

function checkHead(book: Book, exchange: Exchange, head: Json): void {
  const seq = numberIn(head, 'seq');
  const event = book.history(exchange.facts.sessionId).events[seq - 1];
  if (event?.hash !== head.hash) book.violate(`reads: ${named(exchange)} shows a head ${seq} that is not in the log`);
  else if (seq < exchange.floor) book.violate(`reads: ${named(exchange)} shows ${seq}; ${exchange.floor} was known`);
  else vouch(book, exchange, seq);
}

/** Checks that a page contains the messages after the cursor, each once and without gaps. */
function checkPage(book: Book, exchange: Exchange, answer: Json): void {
  const { sessionId, after = 0 } = exchange.facts;
  const history = book.history(sessionId);
  const page = objectsIn(answer, 'messages');
  const ids = page.map((message) => numberIn(message, 'id'));
  const due = idsAfter(latest(history), after).slice(0, ids.length);
  if (ids.join() !== due.join()) book.violate(`cursors: ${named(exchange)} after ${after} gives ${ids}, not ${due}`);
  const known = idsAfter(momentOf(history, exchange.floor), after).length;
  if (ids.length < Math.min(PAGE, known)) book.violate(`reads: ${named(exchange)} after ${after} gives only ${ids}`);
  if (numberIn(answer, 'next_cursor') !== (ids.at(-1) ?? after))
    book.violate(`cursors: ${named(exchange)} goes on at ${answer.next_cursor}`);
  for (const message of page) checkMessage(book, exchange, message, history.events[numberIn(message, 'id') - 1]);
  vouch(book, exchange, ids.at(-1) ?? 0);
}

const idsAfter = ({ standing }: Moment, after: number): number[] =>
  standing.messages.flatMap(({ id }) => (id > after ? [id] : []));

function checkMessage(book: Book, exchange: Exchange, message: Json, event: ReadEvent | undefined): void {
  const isSame =
    event?.at === textIn(message, 'at') &&
    event.kind === message.kind &&
    event.actor === message.from &&
    Object.entries(objectIn(message, 'body')).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(event.data[name]),
    );
  if (!isSame) book.violate(`reads: ${named(exchange)} shows message ${message.id}, and the log has another one there`);
}
