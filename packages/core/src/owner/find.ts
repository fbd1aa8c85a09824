import { sessionCatalog } from '../areas/catalog.ts';
import { subjectOf } from '../areas/interventions/rules.ts';
import { excerptOf, hasTerms, termsOf } from '../areas/owner/transcript.ts';
import { replacementOf } from '../areas/planning/state.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { BYTES_PER_READ } from '../kernel/limits.ts';
import { type LoggedEvent, readEvent, type StoredEvent } from '../kernel/log/event.ts';
import { type EventCatalog, isMessage } from '../kernel/log/event-catalog.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { readInput } from '../kernel/operation/input.ts';
import { isBuilder } from '../kernel/roles.ts';
import { isStorableText } from '../kernel/storage/storable.ts';
import type { ListedSession } from '../kernel/storage/storage.ts';
import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';
import { OWNER_METHODS, type OwnerMethodOutput } from './methods.ts';
import { ownListing } from './own-session.ts';

/**
 * The limits of one call. Events are read in ranges, so a call can read up to one range more than `MAX_EVENTS`. All records
 * of an event are hits of one call, so it can have a few more than `MAX_HITS`.
 */
const MAX_EVENTS = 2_000;
const MAX_HITS = 50;
const EVENTS_PER_RANGE = 50;
const SESSIONS_PER_PAGE = 50;

type Found = OwnerMethodOutput<'find'>;
type Hit = Found['hits'][number];

const REVISION = 'revision.created';

/** The records that are a hit once. Other records, such as a turn, have no text of their own: each of their messages counts. */
const RECORDS = ['decision', 'question', 'finding', 'followup', 'intervention', 'hold', 'recommendation', 'defect'];

interface Search {
  readonly engine: Engine<SessionState>;
  readonly terms: readonly RegExp[];
  readonly hits: Hit[];
  eventsLeft: number;
  bytesLeft: number;
}

/**
 * Searches the events of all sessions of an owner: the newest session first, and in each session the newest event first.
 * The position that a call returns is before the one at which it began.
 */
export async function findWords(engine: Engine<SessionState>, ownerId: string, raw: unknown): Promise<Found> {
  const { words, after = '', session_id: only } = readInput(OWNER_METHODS.find.input, raw);
  const search = { engine, terms: termsOf(words), hits: [], eventsLeft: MAX_EVENTS, bytesLeft: BYTES_PER_READ };
  if (only !== undefined) return searchOnly(search, await ownListing({ engine, ownerId, sessionId: only }), after);
  const [sessionId = '', before = ''] = after.split(':');
  const begun = sessionId && isStorableText(sessionId) ? await engine.storage.find(ownerId, sessionId) : null;
  const stopped = begun && (await searchSession(search, begun, Number(before) - 1));
  if (stopped) return { hits: search.hits, next_after: stopped };
  for (let last = sessionId; ; ) {
    const limit = SESSIONS_PER_PAGE;
    const page = await engine.storage.list(ownerId, last ? { limit, after: last } : { limit });
    for (const listed of page) {
      const place = await searchSession(search, listed, listed.seq);
      if (place) return { hits: search.hits, next_after: place };
    }
    last = page.at(-1)?.sessionId ?? '';
    if (page.length < limit) return { hits: search.hits, next_after: null };
  }
}

/** Searches one session. A position in another session is ignored, because it is from another search. */
async function searchOnly(search: Search, session: ListedSession, after: string): Promise<Found> {
  const [sessionId, before] = after.split(':');
  const from = sessionId === session.sessionId ? Number(before) - 1 : session.seq;
  return { next_after: await searchSession(search, session, from), hits: search.hits };
}

/**
 * Searches the events of a session, from the number `from` down to 1. In one call a record is a hit once, by its newest
 * event with the words; the revisions of the contract count as one record.
 *
 * @returns the position from which the next call continues; null if the whole session was searched
 */
async function searchSession(search: Search, session: ListedSession, from: number): Promise<string | null> {
  const { sessionId } = session;
  const found = new Set<string>();
  let isLatest = true;
  for (let to = from; to >= 1; ) {
    if (search.eventsLeft <= 0 || search.bytesLeft <= 0 || search.hits.length >= MAX_HITS)
      return `${sessionId}:${to + 1}`;
    const first = Math.max(1, to - EVENTS_PER_RANGE + 1);
    for (const stored of (await readRange(search, sessionId, first, to)).toReversed()) {
      const event = readable(stored);
      const isRevision = event?.kind === REVISION;
      if (!event || (isRevision && found.has(REVISION))) continue;
      const contract = contractOf(event, isLatest);
      if (contract && search.bytesLeft <= 0 && stored.seq < from) return `${sessionId}:${stored.seq + 1}`;
      for (const match of await matchesOf(search, sessionId, event, contract)) {
        if (found.has(keyOf(match))) continue;
        found.add(keyOf(match));
        search.hits.push(await hitOf(search, session, match));
      }
      if (isRevision) isLatest = false;
      if (search.hits.length >= MAX_HITS && stored.seq > 1) return `${sessionId}:${stored.seq}`;
    }
    to = first - 1;
  }
  return null;
}

async function readRange(search: Search, sessionId: string, first: number, to: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let next = first; next <= to; ) {
    const read = await search.engine.storage.events(sessionId, next, to);
    const last = read.at(-1);
    if (!last) break;
    events.push(...read);
    next = last.seq + 1;
  }
  search.eventsLeft -= Math.max(events.length, 1);
  for (const { body } of events) search.bytesLeft -= Buffer.byteLength(body);
  return events;
}

interface Match {
  readonly event: LoggedEvent;
  readonly record: Hit['record'];
  /** The texts in which the words occur. */
  readonly texts: unknown;
}

/**
 * Returns the matches of an event whose data, or for a revision also its contract, contain all terms. Returns none for
 * another event, and for one that is neither a transcript entry nor the first event of the session.
 *
 * @param contract the hash of the contract to read
 */
async function matchesOf(
  search: Search,
  sessionId: string,
  event: LoggedEvent,
  contract: string | undefined,
): Promise<readonly Match[]> {
  const kinds: EventCatalog = sessionCatalog;
  const kind = kinds[event.kind];
  if (!kind || !(isMessage(kind, event.data) || event.kind === 'session.created')) return [];
  const texts = contract === undefined ? event.data : [await readContract(search, sessionId, contract), event.data];
  return hasTerms(texts, search.terms) ? matchesIn(event, texts, search.terms, sessionId) : [];
}

/**
 * The hash of the contract of a revision: of the latest one in this call, and of one whose event does not contain all its
 * changes, which is the first, or one with too many changes. Undefined for other revisions and other events.
 */
function contractOf(event: LoggedEvent, isLatest: boolean): string | undefined {
  if (event.kind !== REVISION) return undefined;
  const revision = sessionCatalog[REVISION].data.safeParse(event.data).data;
  const isRead = revision && (isLatest || revision.ops === undefined || revision.ops_left_out);
  return isRead ? revision.content_hash : undefined;
}

async function readContract(search: Search, sessionId: string, hash: string): Promise<unknown> {
  const body = await search.engine.storage.document(sessionId, hash);
  if (body === null) return undefined;
  search.bytesLeft -= Buffer.byteLength(body);
  return parseOrNull(body);
}

function readable(stored: StoredEvent): LoggedEvent | undefined {
  try {
    return readEvent(stored);
  } catch {
    return undefined;
  }
}

/** By the name of a member that contains an id: the type of the record with this id. */
const ID_MEMBERS = { decision_id: 'decision', question_id: 'question', finding_id: 'finding' } as const;

/** For a turn, each decision or question whose texts contain all terms. Otherwise the record that the event is about. */
function matchesIn(event: LoggedEvent, texts: unknown, terms: readonly RegExp[], sessionId: string): readonly Match[] {
  const lists = Object.values(Object(event.data)).filter((member): member is unknown[] => Array.isArray(member));
  const matches = lists.flat().flatMap((item) => {
    const record = isRecord(item) && hasTerms(item, terms) && recordOf(item);
    return record ? [{ event, record, texts: withPosition(item) }] : [];
  });
  if (matches.length > 0) return matches;
  const { type, id } = subjectOf(event, sessionId);
  return [{ event, record: { type, id }, texts: isRecord(texts) ? withPosition(texts) : texts }];
}

function recordOf(item: Readonly<Record<string, unknown>>): Hit['record'] | undefined {
  for (const [member, type] of Object.entries(ID_MEMBERS)) {
    const id = item[member];
    if (typeof id === 'string') return { type, id };
  }
  return undefined;
}

/** Puts the position of a decision after its topic, so that an excerpt of the topic shows the position too. */
const withPosition = ({ topic, ...others }: Readonly<Record<string, unknown>>): unknown =>
  typeof topic === 'string' && typeof others.position === 'string'
    ? { ...others, topic: `${topic}: ${others.position}` }
    : { ...others, topic };

const keyOf = ({ event: { seq, kind }, record: { type, id } }: Match): string =>
  kind === REVISION ? kind : RECORDS.includes(type) ? id : `${seq}`;

async function hitOf(
  { engine, terms }: Search,
  { sessionId, title }: ListedSession,
  { event: { seq, at, actor, kind, person }, record, texts }: Match,
): Promise<Hit> {
  const state = await engine.sessions.load(sessionId).catch(() => null);
  return {
    session_id: sessionId,
    title,
    seq,
    at,
    from: actor,
    name: person?.name ?? ((state && isBuilder(actor) && state.profile.agents[actor].name) || null),
    kind,
    record,
    ...(state && standingOf(state, record)),
    ...excerptOf(texts, terms),
  };
}

/** The present status of a decision, finding or question, and of a revision that was replaced. Empty for other records. */
function standingOf(state: SessionState, { type, id }: Hit['record']): Pick<Hit, 'status' | 'superseded_by'> {
  const { decisions, findings, questions, contract } = state;
  const latest = contract.latest?.revision_id;
  if (type === 'revision') return latest === id ? {} : { status: 'SUPERSEDED', superseded_by: latest };
  const decision = type === 'decision' && lookUp(decisions.all, id);
  if (decision) {
    const replacement = replacementOf(decisions, decision);
    return { status: decision.status, ...(replacement && { superseded_by: replacement.decision_id }) };
  }
  const record = type === 'question' ? lookUp(questions.all, id) : type === 'finding' && lookUp(findings.all, id);
  return record ? { status: record.status } : {};
}
