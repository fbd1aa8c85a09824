import { sessionCatalog } from '../areas/catalog.ts';
import { replacementOf } from '../areas/decisions/state.ts';
import { memberPath } from '../areas/document/json-pointer.ts';
import {
  bestExcerpts,
  excerptOf,
  hasTerms,
  lowerOf,
  type Match,
  recordWith,
  type Term,
  termsOf,
  withoutSeparators,
} from '../areas/owner/transcript.ts';
import { placeWords } from '../areas/reading/location.ts';
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
import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';
import { type Found, OWNER_METHODS } from './methods.ts';
import { ownListing } from './own-session.ts';

interface ContractSearch {
  readonly engine: Engine<SessionState>;
  readonly terms: readonly Term[];
  /** The sessions whose latest contract is a hit already. */
  readonly cited: Set<string>;
  bytesLeft: number;
}

/** A match, and for a match in a contract: the contract, and the revision that replaced it. */
interface RevisionMatch extends Match {
  readonly contract?: unknown;
  /** Id of the latest revision, if the contract is that of an earlier one. */
  readonly replacedBy?: string;
}

/**
 * The matches of one event whose texts contain the searched terms. If the event created no revision: `match`. Otherwise
 * these two, as far as they contain all terms:
 * - A contract: that of the latest revision, which is left out if `cited` has the session; if the latest contract does not
 *   contain the terms, the contract of the revision of this event.
 * - The reason of the revision of this event.
 * If neither contains all terms, `match`.
 */
async function revisionMatches(search: ContractSearch, sessionId: string, match: Match): Promise<RevisionMatch[]> {
  const { event } = match;
  if (event.kind !== 'revision.created') return [match];
  const revision = sessionCatalog['revision.created'].data.safeParse(event.data).data;
  const state = await search.engine.sessions.load(sessionId).catch(() => null);
  const latest = state?.contract.latest;
  if (!revision || !latest) return [match];
  const reason = { reason: revision.reason };
  const said = hasTerms(reason, search.terms) ? [{ event, texts: reason }] : [];
  const current = await contractWith(search, sessionId, latest.content_hash);
  if (current !== undefined) {
    if (search.cited.has(sessionId)) return said;
    search.cited.add(sessionId);
    const created = latest.seq === event.seq ? event : await eventAt(search, sessionId, latest.seq);
    return [{ event: created, texts: current, contract: current }, ...said];
  }
  if (latest.seq === event.seq) return said.length > 0 ? said : [match];
  const own = await contractWith(search, sessionId, revision.content_hash);
  if (own === undefined) return said.length > 0 ? said : [match];
  return [{ event, texts: own, contract: own, replacedBy: latest.revision_id }, ...said];
}

/** The contract with a hash. Undefined if the contract does not contain the searched terms. */
async function contractWith(search: ContractSearch, sessionId: string, hash: string): Promise<unknown> {
  const body = await search.engine.storage.document(sessionId, hash);
  if (body === null) return undefined;
  search.bytesLeft -= Buffer.byteLength(body);
  const contract = parseOrNull(body);
  return hasTerms(contract, search.terms) ? contract : undefined;
}

async function eventAt({ engine }: ContractSearch, sessionId: string, seq: number): Promise<LoggedEvent> {
  const [stored] = await engine.storage.events(sessionId, seq, seq);
  if (!stored) throw new Error(`The log of session ${sessionId} has no event ${seq}.`);
  return readEvent(stored);
}

type Place = NonNullable<Found['hits'][number]['places']>[number];

/** The limits of the excerpts of one hit: 60 excerpts of 300 characters. A word such as `a` is in most texts of a contract. */
const PLACES_WITH_EXCERPTS = 20;
const EXCERPTS_OF_PLACE = 3;

/**
 * The places of a contract that contain the searched terms: records that have ids, and other members of the contract.
 * First the places with the most whole words. Empty if the terms are only in different places.
 */
function placesWith(contract: unknown, terms: readonly Term[]): Place[] {
  const pieces = isRecord(contract)
    ? Object.entries(contract).flatMap(([section, value]) => piecesOf(section, value))
    : [];
  return pieces
    .filter(({ value }) => hasTerms(value, terms))
    .map(({ value, pointer, place }) => ({ ...bestExcerpts(value, terms), pointer, place }))
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ place, pointer, excerpts }, index) => ({
      ...place,
      words: placeWords(contract, pointer) ?? place.section,
      excerpts: index < PLACES_WITH_EXCERPTS ? excerpts.slice(0, EXCERPTS_OF_PLACE) : [],
    }));
}

interface ContractPiece {
  readonly value: unknown;
  readonly pointer: string;
  readonly place: Pick<Place, 'section' | 'id'>;
}

function piecesOf(section: string, value: unknown): ContractPiece[] {
  const pointer = memberPath('', section);
  if (!Array.isArray(value) || !value.some((item) => isRecord(item) && typeof item.id === 'string'))
    return [{ value, pointer, place: { section } }];
  return value.map((item: unknown, index) => ({
    value: item,
    pointer: memberPath(pointer, index),
    place: isRecord(item) && typeof item.id === 'string' ? { section, id: item.id } : { section },
  }));
}

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
