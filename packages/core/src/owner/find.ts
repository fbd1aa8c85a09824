import { sessionCatalog } from '../areas/catalog.ts';
import { replacementOf } from '../areas/decisions/state.ts';
import {
  excerptOf,
  hasTerms,
  lowerOf,
  type Match,
  recordWith,
  type Term,
  termsOf,
  withoutSeparators,
} from '../areas/owner/transcript.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { BYTES_PER_READ } from '../kernel/limits.ts';
import { type LoggedEvent, readEvent, type StoredEvent } from '../kernel/log/event.ts';
import { type EventCatalog, isMessage } from '../kernel/log/event-catalog.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { readInput } from '../kernel/operation/input.ts';
import { isBuilder } from '../kernel/roles.ts';
import type { ListedSession } from '../kernel/storage/listing.ts';
import { isStorableText } from '../kernel/storage/storable.ts';
import { contractWith, placesWith, type RevisionMatch, revisionMatches } from './find-contract.ts';
import { type Found, OWNER_METHODS } from './methods.ts';
import { ownListing } from './own-session.ts';

/** The limits of one call. Events are read in ranges, so a call can read up to one range more than `MAX_EVENTS`. */
const MAX_EVENTS = 2_000;
const MAX_HITS = 50;
const EVENTS_PER_RANGE = 50;
const SESSIONS_PER_PAGE = 50;

type Hit = Found['hits'][number];

interface Search {
  readonly engine: Engine<SessionState>;
  readonly terms: readonly Term[];
  readonly hits: Hit[];
  /** The sessions whose latest contract is a hit already. */
  readonly cited: Set<string>;
  eventsLeft: number;
  bytesLeft: number;
}

/** Searches the events of all sessions of an owner: the newest session first, and in each session the newest event first. */
export async function findWords(engine: Engine<SessionState>, ownerId: string, raw: unknown): Promise<Found> {
  const { words, after = '', session_id: only } = readInput(OWNER_METHODS.find.input, raw);
  const limits = { eventsLeft: MAX_EVENTS, bytesLeft: BYTES_PER_READ };
  const search = { engine, terms: termsOf(words), hits: [], cited: new Set<string>(), ...limits };
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
 * Searches the events of a session, from the number `from` down to 1.
 *
 * @returns the position from which the next call continues; null if the whole session was searched
 */
async function searchSession(
  search: Search,
  { sessionId, title }: ListedSession,
  from: number,
): Promise<string | null> {
  for (let to = from; to >= 1; ) {
    if (search.eventsLeft <= 0 || search.bytesLeft <= 0) return `${sessionId}:${to + 1}`;
    const first = Math.max(1, to - EVENTS_PER_RANGE + 1);
    for (const stored of (await readRange(search, sessionId, first, to)).toReversed()) {
      const contract = hiddenContract(stored);
      if (contract && search.bytesLeft <= 0) return `${sessionId}:${stored.seq + 1}`;
      const found =
        matching(stored, search.terms) ?? (contract && (await matchingContract(search, sessionId, contract)));
      for (const match of found ? await revisionMatches(search, sessionId, found) : [])
        search.hits.push(await hitOf(search, { sessionId, title }, match));
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

/**
 * Returns the event if its data contains all terms. Returns undefined otherwise, and for an event that is neither a
 * transcript entry nor the first event of the session.
 */
function matching(stored: StoredEvent, terms: readonly Term[]): Match | undefined {
  const text = withoutSeparators(lowerOf(stored.body));
  if (!terms.flat().every((word) => text.includes(withoutSeparators(JSON.stringify(word).slice(1, -1)))))
    return undefined;
  const event = readable(stored);
  const kinds: EventCatalog = sessionCatalog;
  const kind = event && kinds[event.kind];
  if (!kind || !(isMessage(kind, event.data) || event.kind === 'session.created')) return undefined;
  return hasTerms(event.data, terms) ? { event, texts: event.data } : undefined;
}

/** The event that created a revision, and the hash of the revision's contract. */
interface RevisionEvent {
  readonly event: LoggedEvent;
  readonly hash: string;
}

/**
 * Returns the event that created a revision if the event does not contain all new texts of the revision: the event of
 * the first revision, or of a revision with too many changes to store in the event. Otherwise undefined.
 */
function hiddenContract(stored: StoredEvent): RevisionEvent | undefined {
  if (!stored.body.includes('"revision.created"')) return undefined;
  const event = readable(stored);
  if (event?.kind !== 'revision.created') return undefined;
  const revision = sessionCatalog['revision.created'].data.safeParse(event.data).data;
  if (!revision || (revision.ops !== undefined && !revision.ops_left_out)) return undefined;
  return { event, hash: revision.content_hash };
}

/** Returns the event that created a revision if the contract of the revision contains all terms. */
async function matchingContract(
  search: Search,
  sessionId: string,
  { event, hash }: RevisionEvent,
): Promise<Match | undefined> {
  const texts = await contractWith(search, sessionId, hash);
  return texts === undefined ? undefined : { event, texts };
}

function readable(stored: StoredEvent): LoggedEvent | undefined {
  try {
    return readEvent(stored);
  } catch {
    return undefined;
  }
}

async function hitOf(
  { engine, terms }: Search,
  { sessionId, title }: Pick<ListedSession, 'sessionId' | 'title'>,
  match: RevisionMatch,
): Promise<Hit> {
  const { seq, at, actor, kind, person } = match.event;
  const { record, texts } = recordWith(match, terms, sessionId);
  const places = placesWith(match.contract, terms);
  return {
    session_id: sessionId,
    title,
    seq,
    at,
    from: actor,
    name: person?.name ?? (await nameOf(engine, sessionId, actor)),
    kind,
    record,
    ...(await standingOf(engine, sessionId, record)),
    ...(match.replacedBy && { status: 'SUPERSEDED', superseded_by: match.replacedBy }),
    ...(places.length > 0 && { places }),
    ...excerptOf(texts, terms),
  };
}

/** The present status of a decision, finding or question. Empty for other records, or if the session cannot be folded. */
async function standingOf(
  { sessions }: Engine<SessionState>,
  sessionId: string,
  { type, id }: Hit['record'],
): Promise<Pick<Hit, 'status' | 'superseded_by'>> {
  if (!['decision', 'finding', 'question'].includes(type)) return {};
  const state = await sessions.load(sessionId).catch(() => null);
  if (!state) return {};
  const { decisions, findings, questions } = state;
  const question = type === 'question' && lookUp(questions.all, id);
  if (question) return { status: question.status };
  const finding = type === 'finding' && lookUp(findings.all, id);
  if (finding) return { status: finding.status };
  const decision = type === 'decision' && lookUp(decisions.all, id);
  if (!decision) return {};
  const replacement = replacementOf(decisions, decision);
  return { status: decision.status, ...(replacement && { superseded_by: replacement.decision_id }) };
}

/** The display name of a builder. Null for any other actor, and if the session cannot be folded. */
async function nameOf({ sessions }: Engine<SessionState>, sessionId: string, actor: string): Promise<string | null> {
  if (!isBuilder(actor)) return null;
  const state = await sessions.load(sessionId).catch(() => null);
  return state?.profile.agents[actor].name || null;
}
