import { readFileSync } from 'node:fs';
import { getSessionEvents } from '../../../src/areas/interventions/feed.ts';
import { readMessages } from '../../../src/areas/session/operations.ts';
import type { LoggedEvent } from '../../../src/kernel/log/event.ts';
import { BUILDERS, type Builder, type Seen } from '../seen.ts';
import { eventsSince, look, type World } from '../world.ts';
import type { Invariant } from './facts.ts';
import { leftOutOfFeed } from './feed-members.ts';

type Reader = Builder | 'moderator';

/** By kind of event: the roles that see it and whether it is a message, as docs/events.md states. */
const TABLE = new Map(
  readFileSync(new URL('../../../../../docs/events.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, kind, , seenBy = '', message = ''] = line.split('|').map((cell) => cell.trim());
      return kind?.startsWith('`') ? [[kind.replaceAll('`', ''), { seenBy, message }] as const] : [];
    }),
);

type Event = LoggedEvent;

const memberOf = ({ data }: Event, name: string): unknown => Object(data)[name];

function isSeen(event: Event, reader: Reader): boolean {
  const seenBy = TABLE.get(event.kind)?.seenBy ?? 'nobody';
  if (seenBy.startsWith('the agent it is due to')) return memberOf(event, 'due_to') === reader;
  return seenBy.includes(reader === 'moderator' ? 'moderator' : 'both builders');
}

function isMessage(event: Event): boolean {
  const message = TABLE.get(event.kind)?.message ?? 'no';
  return message === 'yes' || (message.startsWith('yes, unless') && memberOf(event, 'in_turn') !== true);
}

/** By kind of event: members that messages and the feed leave out. Readiness answers are hidden until both builders are ready. */
const KEPT_BACK: Readonly<Record<string, readonly string[]>> = {
  'turn.posted': ['idempotency', 'warnings'],
  'evidence.submitted': ['idempotency'],
  'evidence.reported': ['token'],
  'revision.created': ['outline', 'issues'],
  'contract.validated': ['issues', 'stored', 'blockers'],
  'readiness.submitted': ['answers'],
  'readiness.checked': ['report'],
  'contract.approved': ['questions'],
};

/** Describes each event of the log in one line, with the members that a page of messages or of the feed must show. */
function linesOf(world: World, events: readonly Event[], place: 'messages' | 'feed'): string[] {
  const disclosed = events.some(({ kind }) => kind === 'readiness.submitted') ? disclosedUpTo(world) : 0;
  return events.map(({ seq, kind, actor, data }) => {
    const isDisclosed = kind === 'readiness.submitted' && seq <= disclosed;
    const elsewhere = place === 'feed' ? leftOutOfFeed(kind, actor, Object(data).in_turn === true) : [];
    const kept = ['in_turn', ...elsewhere, ...(isDisclosed ? [] : (KEPT_BACK[kind] ?? []))];
    const members = Object.entries(Object(data)).filter(([name]) => !kept.includes(name));
    return `${seq} ${kind} ${actor} ${JSON.stringify(Object.fromEntries(members))}`;
  });
}

/**
 * Number of the last `readiness.submitted` event after which both builders were ready on one manifest, or 0. The
 * moderator may see the answers in the report of this event and in earlier reports.
 */
function disclosedUpTo(world: World): number {
  const ready = new Set<string>();
  let last = 0;
  for (const event of eventsSince(world, 0)) {
    if (/^(contract\.approved|changes\.requested)$/.test(event.kind)) ready.clear();
    if (event.kind !== 'readiness.submitted') continue;
    if (memberOf(event, 'verdict') === 'READY_TO_CODE') ready.add(event.actor);
    else ready.delete(event.actor);
    if (ready.size === 2) last = event.seq;
  }
  return last;
}

const MESSAGES_PER_PAGE = 50;

function messagesOf(world: World, reader: Reader, after: number) {
  const page = look(world, readMessages, reader, { after });
  const shown = page.messages.map(({ id, kind, from, body }) => `${id} ${kind} ${from} ${JSON.stringify(body)}`);
  return { shown, next: page.next_cursor, hasMore: page.more };
}

function feedOf(world: World, after: number, limit: number) {
  const { events, next_cursor: next, head } = look(world, getSessionEvents, 'moderator', { after, limit });
  const shown = events.map(({ id, kind, actor, data }) => `${id} ${kind} ${actor} ${JSON.stringify(data)}`);
  return { shown, next, hasMore: next < head };
}

function* differ(what: string, shown: readonly string[], due: readonly string[]): Generator<string> {
  const at = Math.max(shown.length, due.length);
  for (let place = 0; place < at; place += 1)
    if (shown[place] !== due[place]) {
      yield `${what}: ${shown[place]?.slice(0, 300)} is shown and ${due[place]?.slice(0, 300)} is due`;
      return;
    }
}

const readersOf = (now: Seen): readonly Reader[] =>
  now.moderator().refused === null ? [...BUILDERS, 'moderator'] : BUILDERS;

/**
 * The messages of every role contain the messages that a call added, and the cursor of each role is at the last event
 * that the role sees.
 */
export const messagesAreShown: Invariant = function* ({ world, now, before }) {
  const since = before.view().head.seq;
  const added = eventsSince(world, since);
  for (const { kind } of added) if (!TABLE.has(kind)) yield `docs/events.md has no ${kind}`;
  for (const reader of readersOf(now)) {
    const due = added.filter((event) => isMessage(event) && isSeen(event, reader));
    const cursor = cursorOf(now, reader) ?? 0;
    const { shown } = messagesOf(world, reader, Math.min(since, cursor));
    yield* differ(`messages of ${reader}`, shown, linesOf(world, due, 'messages').slice(0, MESSAGES_PER_PAGE));
    const last = lastSeen(added, reader, now) ?? cursorOf(before, reader);
    if (last !== undefined && cursor !== last) yield `the cursor of ${reader} is ${cursor}; ${last} is due`;
  }
};

/**
 * The number of the event at which the cursor of a reader must be after one append; undefined if the cursor must not
 * move. For the moderator: the last event that it sees. For a builder:
 *
 * - the last message, if neither an agent nor the owner caused a later event of the append;
 * - else the last opened action that the builder sees;
 * - else, if the moderator's review requests changes, the last event whose kind matches `HEARD`;
 * - else the last message.
 */
function lastSeen(added: readonly Event[], reader: Reader, now: Seen): number | undefined {
  const seen = added.filter((event) => isSeen(event, reader));
  if (reader === 'moderator') return seen.at(-1)?.seq;
  const message = seen.findLast(isMessage)?.seq;
  const called = added.findLast(({ actor }) => actor !== 'system')?.seq ?? 0;
  if (message !== undefined && message >= called) return message;
  const action = seen.findLast(({ kind }) => kind === 'action.opened')?.seq;
  const heard = isOpposed(now) ? added.findLast(({ kind }) => HEARD.test(kind))?.seq : undefined;
  return action ?? heard ?? message;
}

/** Whether the moderator's review of the latest revision requests changes, even if the review is not binding. */
const isOpposed = (now: Seen): boolean =>
  now.view().moderator_reviews.some(({ verdict, outdated }) => verdict === 'REQUEST_CHANGES' && !outdated);

/** Kinds of events after which a moderator's request for changes becomes binding or stops being binding. */
const HEARD = /^(moderator\.stopped|moderator\.restored|entitlement\.changed)$/;

/** The cursor of a reader. Undefined for a moderator without access. */
function cursorOf(now: Seen, reader: Reader): number | undefined {
  if (reader !== 'moderator') return now.state(reader).cursor;
  const moderator = now.moderator();
  return moderator.refused === null ? moderator.state.cursor : undefined;
}

/** The feed ends with the visible events that a call added. The acknowledged cursor never decreases and is within the feed. */
export const feedIsRight: Invariant = function* ({ world, now, before, ledger }) {
  const acked = now.view().moderator.acked_cursor;
  if (acked !== ledger.moderation.acked) yield `acknowledged up to ${acked}; ${ledger.moderation.acked} is due`;
  if (acked < before.view().moderator.acked_cursor) yield `the acknowledged cursor fell to ${acked}`;
  const moderator = now.moderator();
  if (moderator.refused !== null) return;
  const since = before.view().head.seq;
  const due = eventsSince(world, since).filter((event) => isSeen(event, 'moderator'));
  const { page } = moderator;
  yield* differ('the feed', feedOf(world, Math.min(since, page.head), 100).shown, linesOf(world, due, 'feed'));
  const last = due.at(-1)?.seq;
  if (last !== undefined && page.head !== last) yield `the head of the feed is ${page.head}; ${last} is due`;
  if (page.acked_cursor !== acked || acked > page.head) yield `the feed has ${page.acked_cursor} of ${page.head}`;
  if (page.events.some(({ id }) => id <= acked)) yield 'what was acknowledged is given again';
};

/** The whole feed and all messages, read page by page, contain exactly the events that each role may see. */
export function* pagesAreWhole(world: World, now: Seen): Generator<string> {
  const log = eventsSince(world, 0);
  for (const reader of readersOf(now)) {
    const due = log.filter((event) => isSeen(event, reader));
    const messages = paged((after) => messagesOf(world, reader, after));
    yield* differ(`all messages of ${reader}`, messages, linesOf(world, due.filter(isMessage), 'messages'));
    if (reader !== 'moderator') continue;
    yield* differ(
      'the whole feed',
      paged((after) => feedOf(world, after, 7)),
      linesOf(world, due, 'feed'),
    );
  }
}

interface Page {
  readonly shown: readonly string[];
  readonly next: number;
  readonly hasMore: boolean;
}

function paged(read: (after: number) => Page): string[] {
  const all: string[] = [];
  for (let after = 0; ; ) {
    const { shown, next, hasMore } = read(after);
    all.push(...shown);
    if (!hasMore || shown.length === 0) return all;
    after = next;
  }
}
