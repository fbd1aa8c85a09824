import type { Exchange } from '../world/exchange.ts';
import { longestLook, longestRoundTrip } from '../world/messages.ts';
import type { Reply } from '../world/wire.ts';
import { hashOf } from './access-checks.ts';
import { type Book, isComparable, named } from './book.ts';
import { momentAt, momentOf, type SessionHistory } from './history.ts';
import { type Json, numberIn, objectIn, parse } from './reading.ts';
import { cursorOf, latestFromOthers, latestMessage, hasWork as owes, type Standing } from './standing.ts';

/** Without a hint, a poll notices a change after at most this time. */
const BACKSTOP_MS = 10_000;

/** Checks that a held poll ends when there is work or a new message, not before, and with a current answer. */
export function checkWait(book: Book, exchange: Exchange, reply: Reply): void {
  if (!exchange.facts.waitSeconds || !isComparable(book, exchange)) return;
  checkSleep(book, exchange);
  if (reply.status !== 200) return;
  const answer = parse(reply.body);
  checkEnd(book, exchange, answer);
  checkReason(book, exchange, answer);
}

function checkSleep(book: Book, exchange: Exchange): void {
  const { process, facts, beganAt } = exchange;
  const now = book.world.timeline.now();
  const since = readySince(book, exchange);
  if (since === undefined) return;
  const ready = Math.max(since, beganAt);
  const patience = longestLook(book.world) + 2 * longestRoundTrip(book.world) + 50;
  const failures = process.failedAt.filter((time) => time >= beganAt).length;
  if (now - ready > BACKSTOP_MS * (1 + failures) + patience)
    book.violate(`waits: ${named(exchange)} slept ${Math.round(now - ready)} ms with news before it`);
  const woken = process.wakes(facts.sessionId).find(({ asOf }) => asOf >= since);
  if (woken === undefined || failures > 0) return;
  const due = Math.max(woken.at, beganAt);
  if (now - due > patience)
    book.violate(`waits: ${named(exchange)} slept ${Math.round(now - due)} ms after it was told of news`);
}

/** The time since which the poll has continuously had a reason to end. Undefined if it has none now. */
function readySince(book: Book, exchange: Exchange): number | undefined {
  const { facts, beganAt } = exchange;
  const history = book.history(facts.sessionId);
  const { role } = facts;
  const after = facts.after ?? latestMessage(momentAt(history, beganAt + 2 * longestLook(book.world)).standing);
  const isNewer = (standing: Standing): boolean => facts.after === undefined || cursorOf(standing, role) > facts.after;
  const isReady = (standing: Standing): boolean =>
    standing.status === 'ENDED' ||
    (owes(standing, role) && isNewer(standing)) ||
    latestFromOthers(standing, role) > after ||
    isEnded(standing, facts.token);
  let since: number | undefined;
  for (const moment of relevant(history, beganAt)) {
    if (!isReady(moment.standing)) since = undefined;
    else since ??= moment.time;
  }
  return since;
}

const relevant = (history: SessionHistory, beganAt: number) => [
  momentAt(history, beganAt),
  ...history.moments.filter(({ time }) => time > beganAt),
];

const isEnded = ({ tokens }: Standing, token = ''): boolean => typeof tokens.get(hashOf(token)) === 'number';

/** Checks that the answer is current: no older than the longest time that the host needs to read the storage. */
function checkEnd(book: Book, exchange: Exchange, answer: Json): void {
  const { facts } = exchange;
  const { timeline, faults } = book.world;
  const history = book.history(facts.sessionId);
  // If acknowledgements of appends may be late, a poll may end before its host knows of an append that the storage has
  // stored. Then only polls that timed out are checked, because they read from the storage before they end.
  if (answer.timed_out !== true && LATE_ACKNOWLEDGEMENTS.some(faults.isOn)) return;
  const patience = longestLook(book.world) + longestRoundTrip(book.world) + 10;
  const { standing } = momentAt(history, timeline.now() - patience);
  if (numberIn(answer, 'cursor') < latestMessage(standing))
    book.violate(`waits: ${named(exchange)} ended behind, at ${answer.cursor} instead of ${latestMessage(standing)}`);
  if (isEnded(standing, facts.token)) book.violate(`waits: ${named(exchange)} got data after its token had ended`);
}

const LATE_ACKNOWLEDGEMENTS = ['appendSlow', 'appendLost', 'appendLanded', 'appendLandsLate'] as const;

/** Checks that a poll that ends before its time-out has a reason in its answer: work, or a new message. */
function checkReason(book: Book, exchange: Exchange, answer: Json): void {
  if (answer.timed_out === true || answer.status === 'ENDED') return;
  const { facts, floor } = exchange;
  const cursor = numberIn(answer, 'cursor');
  if (hasWork(answer) && (facts.after === undefined || cursor > facts.after)) return;
  const history = book.history(facts.sessionId);
  const after = facts.after ?? latestMessage(momentOf(history, floor).standing);
  const { messages } = momentOf(history, cursor).standing;
  const hasNews = messages.some(({ id, from }) => id > after && id <= cursor && from !== facts.role);
  if (!hasNews) book.violate(`waits: ${named(exchange)} was woken after ${after} for nothing, at ${cursor}`);
}

const WAITING: readonly unknown[] = [null, 'wait_for_my_turn', 'wait_for_activity'];

const hasWork = (answer: Json): boolean => !WAITING.includes(objectIn(answer, 'instruction').tool);
