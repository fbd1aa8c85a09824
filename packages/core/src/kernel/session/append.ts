/**
 * Prepares events, and appends them exactly once. `appendExactly` has these outcomes:
 *
 * - appended: the storage has stored the events.
 * - refused, a lost race: the log has another head, the session was deleted, or its row is locked. Nothing was stored.
 * - unknown: the connection broke after the statement was sent. The same bytes are sent again every 100 ms, until the
 *   outcome is appended (the storage stores the events, or the log already contains them) or refused (the session was
 *   deleted, or the log contains another event with the same number).
 * - still unknown after 15 s: STORAGE_UNAVAILABLE. The append may be stored; the caller sends the request again.
 * - any other error of the storage: thrown unchanged. Nothing was stored.
 *
 * Cannot happen: the events are stored twice, because the compare-and-swap on the head succeeds only once; a part of
 * the events is stored.
 */
import { type Clock, isoTime, sleep } from '../clock.ts';
import { fail } from '../errors.ts';
import {
  type AttributedDraft,
  attributed,
  type Head,
  type LoggedEvent,
  recordEvent,
  type StoredEvent,
} from '../log/event.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import { type Append, type InboxPlace, OutcomeUnknown, type Storage, type StoredDocument } from '../storage/storage.ts';
import { sha256Hex } from '../text/hash.ts';

/** Events that are ready to be appended, and the state after them. */
export interface Prepared<S> {
  readonly state: S;
  readonly events: readonly LoggedEvent[];
  readonly stored: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

/**
 * Makes events from drafts: adds number, time and hashes, and folds the events. Then does the same with the events that open and
 * close actions. Stores nothing.
 */
export function prepareEvents<S extends SessionRoot>(
  domain: LogDomain<S>,
  before: S,
  drafts: readonly AttributedDraft[],
  nowMs: number,
): Prepared<S> {
  const at = notBefore(before.at, isoTime(nowMs));
  const own = recordAll(domain, { state: before, events: [], stored: [], documents: [] }, drafts, at);
  const settled = domain
    .settleObligations(own.state)
    .map((draft) => attributed(draft, draft.actor ?? 'system', undefined));
  return recordAll(domain, own, settled, at);
}

const notBefore = (earliest: string, time: string): string => (time < earliest ? earliest : time);

function recordAll<S extends SessionRoot>(
  domain: LogDomain<S>,
  prepared: Prepared<S>,
  drafts: readonly AttributedDraft[],
  at: string,
): Prepared<S> {
  if (drafts.length === 0) return prepared;
  let { state } = prepared;
  const events = [...prepared.events];
  const stored = [...prepared.stored];
  const documents = [...prepared.documents, ...drafts.flatMap(documentsOf)];
  for (const draft of drafts) {
    const { v, data } = checkedDraft(domain, draft);
    const { kind, actor, person } = draft;
    const record = recordEvent(state.sessionId, state.head, { kind, actor, person, data, v, at });
    state = domain.evolve(state, record.logged);
    events.push(record.logged);
    stored.push(record.stored);
  }
  return { state, events, stored, documents };
}

const documentsOf = ({ documents = [] }: AttributedDraft): StoredDocument[] =>
  documents.map((body) => ({ sha256: sha256Hex(body), body }));

/**
 * Throws if the data of an event does not match the schema of the event's kind. Only a bug of this program produces
 * such an event.
 */
function checkedDraft<S extends SessionRoot>(
  { catalog }: LogDomain<S>,
  { kind, data }: AttributedDraft,
): { v: number; data: unknown } {
  const known = catalog[kind];
  if (!known) throw new Error(`No event kind ${kind}.`);
  return { v: known.v, data: known.data.parse(data) };
}

/** Milliseconds for which an append of unknown outcome is sent again. After that the caller gets STORAGE_UNAVAILABLE. */
const RESOLVE_MS = 15_000;
const RESEND_MS = 100;

/** Appends exactly once. The comment at the top of this file lists the outcomes. */
export async function appendExactly(storage: Storage, clock: Clock, append: Append): Promise<'appended' | 'refused'> {
  try {
    return await storage.append(append);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    return await resolveOutcome(clock, () => resendAppend(storage, append));
  }
}

interface CreateParts<S extends SessionRoot> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly domain: LogDomain<S>;
}

/**
 * Stores a new session with its first events exactly once. Resolves an unknown outcome as `appendExactly` does.
 *
 * @param place the place in the owner's inbox; null if nothing in the session can be waiting for the owner
 */
export async function createExactly<S extends SessionRoot>(
  { storage, clock, domain }: CreateParts<S>,
  { state, stored, documents }: Prepared<S>,
  place: InboxPlace | null,
): Promise<void> {
  const { sessionId, ownerId } = state;
  const session = { sessionId, ownerId, listing: domain.listing(state), place };
  const create = () => storage.create(session, stored, documents);
  try {
    await create();
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    await resolveOutcome(clock, () => resendCreate(storage, sessionId, stored, create));
  }
}

/**
 * Stores prepared events exactly once: appends them, or creates the log with them if `expected` is the head of an empty log.
 * Returns false if another process has stored events first.
 */
export async function storeExactly<S extends SessionRoot>(
  parts: CreateParts<S>,
  expected: Head,
  prepared: Prepared<S>,
): Promise<boolean> {
  const { storage, clock, domain } = parts;
  const { state, stored: events, documents } = prepared;
  const { sessionId } = state;
  if (expected.seq > 0) {
    const append = { sessionId, expected, events, documents, listing: domain.listing(state) };
    return (await appendExactly(storage, clock, append)) === 'appended';
  }
  try {
    await createExactly(parts, prepared, null);
    return true;
  } catch (error) {
    const other = await storage.fetch(sessionId, 0, 0);
    if (!other) throw error;
    return other.head.hash === state.head.hash;
  }
}

async function resolveOutcome<T>(clock: Clock, resend: () => Promise<T | undefined>): Promise<T> {
  const deadline = clock.now() + RESOLVE_MS;
  while (clock.now() < deadline) {
    await sleep(clock, RESEND_MS);
    const outcome = await resend().catch(stillUnknown);
    if (outcome) return outcome;
  }
  return fail('STORAGE_UNAVAILABLE', 'It is unknown whether the write was stored: the storage did not confirm it.', {
    retry_after_seconds: 5,
  });
}

async function resendAppend(storage: Storage, append: Append): Promise<'appended' | 'refused' | undefined> {
  const outcome = await storage.append(append);
  if (outcome === 'appended') return outcome;
  const tail = await storage.fetch(append.sessionId, append.expected.seq);
  if (tail === null) return 'refused';
  if (tail.head.seq === append.expected.seq && tail.head.hash === append.expected.hash) return undefined;
  return tail.events[0]?.hash === append.events[0]?.hash ? 'appended' : 'refused';
}

/**
 * Creates the session again, unless a session with this id is stored. If the first event of the stored session has the
 * hash of the first event of the new session, an earlier try has stored it.
 */
async function resendCreate(
  storage: Storage,
  sessionId: string,
  stored: readonly StoredEvent[],
  create: () => Promise<void>,
): Promise<'created' | undefined> {
  const tail = await storage.fetch(sessionId, 0);
  if (tail === null) await create();
  return tail === null || tail.events[0]?.hash === stored[0]?.hash ? 'created' : undefined;
}

/** The result of a failed try. The outcome stays unknown until another try succeeds or the time limit is reached. */
const stillUnknown = (): undefined => undefined;
