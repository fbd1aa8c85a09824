import type { Clock } from './clock.ts';
import { isoTime, sleep } from './clock.ts';
import type { Domain, Folded } from './domain.ts';
import { fail } from './errors.ts';
import { type EventDraft, type LoggedEvent, recordEvent } from './event.ts';
import { type Append, OutcomeUnknown, type Storage, type StoredDocument, type StoredEvent } from './storage.ts';

/** What an append would store, and the state after it. */
export interface Prepared<S> {
  readonly state: S;
  readonly events: readonly LoggedEvent[];
  readonly stored: readonly StoredEvent[];
  readonly bytes: number;
}

/** Numbers, dates, chains and folds drafts onto a state, obligations included. Nothing is stored yet. */
export function prepareEvents<S extends Folded>(
  domain: Domain<S>,
  before: S,
  drafts: readonly Required<EventDraft>[],
  nowMs: number,
): Prepared<S> {
  const at = notBefore(before.at, isoTime(nowMs));
  const own = recordAll(domain, { state: before, events: [], stored: [], bytes: 0 }, drafts, at);
  const settled = domain
    .settleObligations(own.state)
    .map((draft) => ({ ...draft, actor: draft.actor ?? 'system' }) as const);
  return recordAll(domain, own, settled, at);
}

const notBefore = (earliest: string, time: string): string => (time < earliest ? earliest : time);

function recordAll<S extends Folded>(
  domain: Domain<S>,
  prepared: Prepared<S>,
  drafts: readonly Required<EventDraft>[],
  at: string,
): Prepared<S> {
  let { state, bytes } = prepared;
  const events = [...prepared.events];
  const stored = [...prepared.stored];
  for (const draft of drafts) {
    const { v, data } = checkedDraft(domain, draft);
    const record = recordEvent(state.sessionId, state.head, { ...draft, data, v, at });
    state = domain.evolve(state, record.logged);
    bytes += record.stored.body.length;
    events.push(record.logged);
    stored.push(record.stored);
  }
  return { state, events, stored, bytes };
}

/** An event that breaks its own schema is a fault of this program and must never reach the log. */
function checkedDraft<S extends Folded>(
  { catalog }: Domain<S>,
  { kind, data }: Required<EventDraft>,
): { v: number; data: unknown } {
  const known = catalog[kind];
  if (!known) throw new Error(`No event kind ${kind}.`);
  return { v: known.v, data: known.data.parse(data) };
}

/** How long an append of unknown outcome is sent again before the caller is told so. */
const RESOLVE_MS = 15_000;
const RESEND_MS = 100;

/**
 * Appends once, exactly. When the connection broke after the statement was sent, the same bytes are sent again until
 * they are stored or the head has moved on; then the event at our number tells whether it is ours.
 */
export async function appendExactly(storage: Storage, clock: Clock, append: Append): Promise<'appended' | 'refused'> {
  try {
    return await storage.append(append);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    return await resolveOutcome(storage, clock, append);
  }
}

async function resolveOutcome(storage: Storage, clock: Clock, append: Append): Promise<'appended' | 'refused'> {
  const deadline = clock.now() + RESOLVE_MS;
  while (clock.now() < deadline) {
    await sleep(clock, RESEND_MS);
    const outcome = await settledOutcome(storage, append).catch(stillUnknown);
    if (outcome) return outcome;
  }
  return fail('STORAGE_UNAVAILABLE', 'The storage did not say whether the write was stored.', {
    retry_after_seconds: 5,
  });
}

async function settledOutcome(storage: Storage, append: Append): Promise<'appended' | 'refused' | undefined> {
  const outcome = await storage.append(append);
  if (outcome === 'appended') return outcome;
  const news = await storage.fetch(append.sessionId, append.expected.seq);
  if (news === null) return 'refused';
  if (news.head.seq === append.expected.seq && news.head.hash === append.expected.hash) return undefined;
  return news.events[0]?.hash === append.events[0]?.hash ? 'appended' : 'refused';
}

/** Any failure of the storage leaves the question open; the deadline ends it. */
const stillUnknown = (): undefined => undefined;

/** Stores the first events of a new session. */
export async function createExactly<S extends Folded>(
  storage: Storage,
  domain: Domain<S>,
  prepared: Prepared<S>,
  documents: readonly StoredDocument[],
): Promise<void> {
  const { sessionId, ownerId } = prepared.state;
  try {
    await storage.create({ sessionId, ownerId, listing: domain.listing(prepared.state) }, prepared.stored, documents);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const news = await storage.fetch(sessionId, 0);
    if (news?.events[0]?.hash !== prepared.stored[0]?.hash) throw error;
  }
}
