/** The logs of Idempotency-Keys: their events, what they fold into, and the encryption of the answers in them. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '../kernel/clock.ts';
import { attributed, GENESIS } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf } from '../kernel/log/event-catalog.ts';
import { readIntactEvent } from '../kernel/log/stored-event.ts';
import type { WriteEvent } from '../kernel/operation/call.ts';
import type { LogDomain, SessionRoot } from '../kernel/operation/domain.ts';
import { KEYED_LOG_PREFIX, KEYED_OWNER, PERSON_ROLES, type PersonRole } from '../kernel/person.ts';
import { appendExactly, createExactly, prepareEvents } from '../kernel/session/append.ts';
import { canonicalJson } from '../kernel/text/canonical.ts';
import { type OwnerOf, sessionsOf } from './own-session.ts';

/** How long a key is known, in milliseconds: a client that was away for a day starts anew. */
const KEPT_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;

const keyedEvents = defineEvents({
  'call.claimed': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      /** A random text, so that two claims at the same moment are two events. It has the form of a session id. */
      claim: z.string(),
      /** A keyed hash of the request. */
      request: z.string(),
      /** The role that the caller had. */
      role: z.enum(PERSON_ROLES).optional(),
    }),
  },
  'call.promised': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({ answer: z.string(), session_id: z.string(), seq: z.int(), hash: z.string() }),
  },
  'call.answered': { v: 1, seenBy: 'owner', message: false, data: z.strictObject({ answer: z.string() }) },
});
export type KeyedDraft = DraftsOf<typeof keyedEvents>;

interface KeptAnswer {
  /** The encrypted answer. */
  readonly sealed: string;
  readonly role: PersonRole | undefined;
  /** The last event of the write. The answer is true if the log of its session has this event. */
  readonly event?: WriteEvent;
}

export interface KeyedCall extends SessionRoot {
  /** When the key was first claimed, and when it was last claimed. */
  readonly bornAt: string;
  readonly claimedAt: string;
  /** The text of the first claim. */
  readonly firstClaim: string;
  readonly request: string;
  readonly role: PersonRole | undefined;
  readonly answers: readonly KeptAnswer[];
}

const domain: LogDomain<KeyedCall> = {
  catalog: keyedEvents,
  empty: (sessionId) => ({
    ...{ sessionId, ownerId: KEYED_OWNER, head: GENESIS, at: isoTime(0), bornAt: '', claimedAt: '', firstClaim: '' },
    ...{ request: '', role: undefined, answers: [] },
  }),
  evolve(state, logged) {
    const { seq, hash, at, kind, data } = logged as EventsOf<typeof keyedEvents>;
    const after = { ...state, head: { seq, hash }, at };
    if (kind === 'call.claimed') {
      const first = state.firstClaim === '' ? { bornAt: at, firstClaim: data.claim } : {};
      return { ...after, ...first, claimedAt: at, request: data.request, role: data.role };
    }
    const of =
      kind === 'call.promised' ? { event: { sessionId: data.session_id, seq: data.seq, hash: data.hash } } : {};
    return { ...after, answers: [...state.answers, { sealed: data.answer, role: state.role, ...of }] };
  },
  settleObligations: () => [],
  listing: ({ bornAt }) => ({ title: 'Kept answer', status: 'ACTIVE', phase: 'KEPT', createdAt: bornAt }),
};

/** The log of one key, and what encrypts its answers. */
export interface Place extends OwnerOf {
  readonly logId: string;
  /** Returns a keyed hash of a text. */
  readonly sign: (text: string) => Buffer;
}

export function placeOf(owner: OwnerOf, route: string, key: string): Place {
  const { engine, ownerId, person } = owner;
  const scope = canonicalJson([ownerId, person?.id ?? null, route, key]);
  const secret = createHmac('sha256', engine.key).update(`parley keyed answer ${scope}`).digest();
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return { ...owner, sign, logId: `${KEYED_LOG_PREFIX}${sign('log').toString('hex').slice(0, 40)}` };
}

/** The log of the key. Undefined if there is none; a log that is a day old is deleted first. */
export async function loadKeyed(place: Place): Promise<KeyedCall | undefined> {
  const { engine, logId } = place;
  const tail = await engine.storage.fetch(logId, 0);
  const known = tail?.events.map(readIntactEvent).reduce(domain.evolve, domain.empty(logId));
  if (!known || Date.parse(known.bornAt) + KEPT_MS > engine.clock.now()) return known;
  await engine.storage.delete(logId, known.head);
  return undefined;
}

/** Stores an event, as the first one without `before`. Returns undefined if another call has stored one first. */
export async function storeKeyed(
  place: Place,
  before: KeyedCall | undefined,
  draft: KeyedDraft,
): Promise<KeyedCall | undefined> {
  const { engine, logId: sessionId } = place;
  const drafts = [attributed(draft, 'system', undefined)];
  const prepared = prepareEvents(domain, before ?? domain.empty(sessionId), drafts, engine.clock.now());
  const { state, stored: events } = prepared;
  if (before) {
    const append = { sessionId, expected: before.head, events, documents: [], listing: domain.listing(state) };
    return (await appendExactly(engine.storage, engine.clock, append)) === 'appended' ? state : undefined;
  }
  try {
    await createExactly({ ...engine, domain }, prepared, null);
  } catch (error) {
    const other = await loadKeyed(place);
    if (!other) throw error;
    return other.head.hash === state.head.hash ? state : undefined;
  }
  sweep(place);
  return state;
}

/** The first answer that is true. Undefined if no write of the key is stored. */
export async function trueAnswer({ engine }: Place, { answers }: KeyedCall): Promise<KeptAnswer | undefined> {
  for (const kept of answers) {
    const { event } = kept;
    const [stored] = event ? await engine.storage.events(event.sessionId, event.seq, event.seq) : [];
    if (!event || stored?.hash === event.hash) return kept;
  }
  return undefined;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal({ engine, sign }: Place, answer: unknown): string {
  const iv = engine.random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sign('answer'), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

export function unseal({ sign }: Place, { sealed }: KeptAnswer): object {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sign('answer'), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return Object(JSON.parse(plain.toString('utf8')));
}

/** When expired logs were last deleted, by engine. */
const sweptAt = new WeakMap<object, number>();

/** Deletes the logs of expired keys in the background, at most once an hour. If that fails, the next hour tries again. */
function sweep({ engine }: Place): void {
  const now = engine.clock.now();
  if (now - (sweptAt.get(engine) ?? -SWEEP_MS) < SWEEP_MS) return;
  sweptAt.set(engine, now);
  const run = async (): Promise<void> => {
    const expired: string[] = [];
    for await (const { sessionId, createdAt } of sessionsOf({ engine, ownerId: KEYED_OWNER }))
      if (Date.parse(createdAt) + KEPT_MS <= now) expired.push(sessionId);
    for (const sessionId of expired) await engine.storage.delete(sessionId);
  };
  run().catch(() => undefined);
}
