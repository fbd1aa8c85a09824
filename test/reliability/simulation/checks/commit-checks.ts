import { createHash } from 'node:crypto';
import type { StoredEvent } from '@parley/core';
import type { Book } from './book.ts';
import { cut, extend, latest, readStored, type SessionHistory } from './history.ts';
import { objectIn, textIn } from './reading.ts';
import { type ReadEvent, speaker } from './standing.ts';

const MARKER = /«(m\d+)»/g;

const markersIn = (events: readonly StoredEvent[]): string[] => [
  ...new Set(events.flatMap(({ body }) => Array.from(body.matchAll(MARKER), ([, marker]) => marker ?? ''))),
];

/**
 * Checks a commit when it is stored, and adds it to the history. Checks the hash chain, whether the author had the
 * turn, the ids of revisions, and that each idempotency key and each invitation code is used once.
 */
export function noteCommit(book: Book, sessionId: string, stored: readonly StoredEvent[]): void {
  const history = book.history(sessionId);
  const events = stored.map(readStored);
  stored.forEach((event, index) => {
    checkLink(book, history, { stored, index, sessionId, event });
  });
  checkTurn(book, history, events);
  checkOnce(book, history, events);
  checkRevisions(book, history, events);
  extend(history, events, book.world.timeline.now());
  history.markers.push(markersIn(stored));
  for (const marker of markersIn(stored)) book.marked.set(marker, (book.marked.get(marker) ?? 0) + 1);
}

export function noteRollback(book: Book, sessionId: string, lost: readonly StoredEvent[]): void {
  const history = book.history(sessionId);
  cut(history, lost.length);
  for (const markers of history.markers.splice(history.moments.length)) {
    for (const marker of markers) {
      book.marked.set(marker, (book.marked.get(marker) ?? 0) - 1);
      book.lost.add(marker);
    }
  }
}

interface Link {
  readonly event: StoredEvent;
  readonly stored: readonly StoredEvent[];
  readonly index: number;
  readonly sessionId: string;
}

function checkLink({ violate }: Book, { events }: SessionHistory, { event, stored, index, sessionId }: Link): void {
  const before = stored[index - 1] ?? events.at(-1);
  const { seq, prevHash } = readStored(event);
  const due = (before?.seq ?? 0) + 1;
  if (event.seq !== due || seq !== due) violate(`log: event ${event.seq} was stored where ${due} was due`);
  if (before && prevHash !== before.hash) violate(`log: event ${seq} does not follow the event before it`);
  if (createHash('sha256').update(event.body).digest('hex') !== event.hash) violate(`log: hash of ${seq} is wrong`);
  if (!event.body.startsWith(`{"session_id":"${sessionId}"`)) violate(`log: event ${seq} is another session's`);
}

function checkTurn({ violate }: Book, history: SessionHistory, events: readonly ReadEvent[]): void {
  const { standing } = latest(history);
  const turns = events.filter(({ kind }) => kind === 'turn.posted');
  const [turn] = turns;
  if (!turn) return;
  if (turns.length > 1) violate('turns: two in one commit');
  const due = speaker(standing);
  if (turn.actor !== due) violate(`turns: event ${turn.seq} is a turn of ${turn.actor}, ${due} was due`);
  if (turn.data.turn_index !== standing.turns)
    violate(`turns: event ${turn.seq} has number ${turn.data.turn_index}, ${standing.turns} was due`);
}

/** Checks that each revision names the previous revision as parent, and that no id occurs twice. */
function checkRevisions({ violate }: Book, history: SessionHistory, events: readonly ReadEvent[]): void {
  const { revisions } = latest(history).standing;
  const created = events.filter(({ kind }) => kind === 'revision.created');
  if (created.length > 1) violate('revisions: two in one commit');
  for (const { seq, data } of created) {
    const due = [`r_${revisions.length + 1}`, revisions.at(-1)?.id ?? null].join(' after ');
    const is = [data.revision_id, data.parent_id].join(' after ');
    if (is !== due) violate(`revisions: event ${seq} is ${is}, ${due} was due`);
  }
}

/** Returns the text that at most one event of a log may have: a role's idempotency key, or an invitation code. */
function onceOnly({ kind, actor, data }: ReadEvent): string | undefined {
  if (kind === 'invitation.redeemed') return `code ${textIn(data, 'code_hash')}`;
  const key = textIn(objectIn(data, 'idempotency'), 'key');
  return key === '' ? undefined : `key ${actor} ${key}`;
}

function checkOnce({ violate }: Book, history: SessionHistory, events: readonly ReadEvent[]): void {
  for (const event of events) {
    const once = onceOnly(event);
    if (once !== undefined && history.events.some((earlier) => onceOnly(earlier) === once))
      violate(`log: ${once} is used a second time by event ${event.seq}`);
  }
}
