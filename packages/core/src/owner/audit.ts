import type { z } from 'zod';
import { sessionCatalog } from '../areas/catalog.ts';
import { BYTES_PER_READ } from '../kernel/limits.ts';
import { type EventCatalog, viewMessage } from '../kernel/log/event-catalog.ts';
import { readInput } from '../kernel/operation/input.ts';
import { PEOPLE_LOG } from '../kernel/person.ts';
import type { OwnerEvent, OwnerEventFilter, OwnerEventPosition } from '../kernel/storage/storage.ts';
import { peopleEvents } from '../people/state.ts';
import { OWNER_METHODS, type OwnerMethodOutput } from './methods.ts';
import { type OwnerOf, ownerEventPages, readable } from './own-session.ts';
import { erasureEvents, erasureLogOf } from './retention.ts';

type Audit = OwnerMethodOutput<'audit'>;
type AuditEvent = Audit['events'][number];
type Filter = z.output<(typeof OWNER_METHODS)['exportAudit']['input']>;

/** Returns a page of the events that people have caused in all sessions of an owner, newest first. Folds no session. */
export async function auditOf(owner: OwnerOf, raw: unknown): Promise<Audit> {
  const { limit = 50, after, ...filter } = readInput(OWNER_METHODS.audit.input, raw);
  const page: Visible[] = [];
  for (let position = after === undefined ? undefined : readCursor(after); ; ) {
    const wanted = limit + 1 - page.length;
    const range = { order: 'newest', limit: wanted, after: position } as const;
    const events = await owner.engine.storage.ownerEvents(ownersIn(owner), { ...storedFilter(filter), ...range });
    const found = await viewEvents(owner, events);
    page.push(...visibleOf(found));
    const isCutOff = found.reduce((sum, { bytes }) => sum + bytes, 0) >= BYTES_PER_READ;
    const isLast = found.length < wanted && !isCutOff;
    // The cursor is the position of an event that the reader may see. Otherwise it would reveal events of other accounts.
    if (isLast || page.length > limit || (isCutOff && page.length > 0)) {
      const shown = page.slice(0, limit);
      const last = isLast && page.length <= limit ? undefined : shown.at(-1);
      return { events: shown.map(({ view }) => view), next_after: last ? cursorOf(last.position) : null };
    }
    position = found.at(-1)?.position;
  }
}

/** All events that people have caused in all sessions of an owner, as JSON lines, oldest first. */
export async function* exportAudit(owner: OwnerOf, raw: unknown): AsyncGenerator<string> {
  const filter = readInput(OWNER_METHODS.exportAudit.input, raw);
  const wanted = { order: 'oldest', ...storedFilter(filter) } as const;
  const viewed = (events: readonly OwnerEvent[]) => viewEvents(owner, events);
  for await (const page of ownerEventPages(owner, ownersIn(owner), wanted, viewed))
    for (const { view } of visibleOf(page)) yield `${JSON.stringify(view)}\n`;
}

interface Positioned {
  readonly position: OwnerEventPosition;
  /** Null if the reader may not see the event. */
  readonly view: AuditEvent | null;
  /** Length of the event's stored text in bytes of UTF-8. */
  readonly bytes: number;
}

type Visible = Pick<Positioned, 'position'> & { readonly view: AuditEvent };

const ownersIn = ({ ownerId, readsPeople }: OwnerOf): readonly string[] => [
  ...[ownerId, erasureLogOf(ownerId).ownerId],
  ...(readsPeople ? [PEOPLE_LOG.ownerId] : []),
];

async function viewEvents({ readsPeople }: OwnerOf, events: readonly OwnerEvent[]): Promise<Positioned[]> {
  const showsPeople = typeof readsPeople === 'function' ? await readsPeople() : () => true;
  return events.map((event) => viewEvent(event, showsPeople));
}

const visibleOf = (page: readonly Positioned[]): Visible[] =>
  page.flatMap(({ view, position }) => (view ? { view, position } : []));

const storedFilter = ({ person, kind, session_id, from, to }: Filter): OwnerEventFilter => ({
  personId: person,
  kind,
  sessionId: session_id,
  from: from && new Date(from).toISOString(),
  to: to && new Date(to).toISOString(),
});

const ALL_EVENTS: EventCatalog = { ...sessionCatalog, ...peopleEvents, ...erasureEvents };

function viewEvent(stored: OwnerEvent, showsPeople: (data: unknown) => boolean): Positioned {
  const { sessionId, seq, hash, title } = stored;
  const event = readable(stored);
  const { at, person, kind } = event;
  const isOfPeople = sessionId === PEOPLE_LOG.sessionId;
  const session =
    isOfPeople || Object.hasOwn(erasureEvents, kind)
      ? { session_id: null, title: null }
      : { session_id: sessionId, title };
  const { body } = viewMessage(ALL_EVENTS, event, true);
  const isShown = !isOfPeople || showsPeople(event.data);
  const view = isShown ? { at, person: person ?? null, kind, body, ...session, seq, hash } : null;
  return { position: { at, sessionId, seq }, view, bytes: event.bytes };
}

const cursorOf = ({ at, sessionId, seq }: OwnerEventPosition): string => `${at}~${sessionId}~${seq}`;

function readCursor(text: string): OwnerEventPosition {
  const [at = '', sessionId = '', seq] = text.split('~');
  return { at, sessionId, seq: Number(seq) };
}
