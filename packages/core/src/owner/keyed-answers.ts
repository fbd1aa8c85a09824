/**
 * Answers of the owner's writes that were sent with an Idempotency-Key. Each key has a log of its own, stored like a session under an
 * id that no session has. Its states:
 *
 * | State      | Entered when                                     | A call with the same key gets                        |
 * |------------|--------------------------------------------------|------------------------------------------------------|
 * | none       | The key is new, or 24 hours old                  | It runs.                                             |
 * | `claimed`  | A call begins: it creates the log                | 409: the first call is not answered yet.             |
 * | `answered` | The call has succeeded                           | The first answer, and nothing is stored.             |
 * | none       | The call was refused, or the storage was away    | It runs.                                             |
 *
 * A process that ends during a call leaves the key `claimed`. Nobody knows then whether the call was stored, so the key is
 * refused until it expires.
 *
 * Cannot happen: two calls with one key run at the same time, in one process or in several, because creating a log that exists
 * fails; a caller reads the answer of another account or person, or of a key that it did not send; a person whose rights ended while
 * the body was on its way gets an answer. The log has neither the key nor
 * the request nor the answer in clear: the answer, which may contain an invitation code, is encrypted with a key that is derived
 * from the Idempotency-Key.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '../kernel/clock.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { attributed, GENESIS } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf } from '../kernel/log/event-catalog.ts';
import { readIntactEvent } from '../kernel/log/stored-event.ts';
import { readHeaderKey } from '../kernel/operation/arguments.ts';
import type { LogDomain, SessionRoot } from '../kernel/operation/domain.ts';
import type { KeyedRequest } from '../kernel/operation/owner-port.ts';
import {
  KEYED_LOG_PREFIX,
  KEYED_OWNER,
  PERSON_ROLES,
  type PersonRole,
  presentPerson,
  requireRole,
} from '../kernel/person.ts';
import { appendExactly, createExactly, prepareEvents } from '../kernel/session/append.ts';
import { StorageUnavailable } from '../kernel/storage/storage.ts';
import { canonicalJson } from '../kernel/text/canonical.ts';
import { randomText } from '../kernel/token/token.ts';
import { type OwnerOf, sessionsOf } from './own-session.ts';

/** How long a key is known, in milliseconds: a client that was away for a day starts anew. */
const KEPT_MS = 24 * 60 * 60_000;
/** Milliseconds after which a call that is not answered has probably ended without an answer. */
const RUNNING_MS = 60_000;
const SWEEP_MS = 60 * 60_000;
const CLAIM_CHARS = 22;

const keyedEvents = defineEvents({
  'call.claimed': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      /** A random text, so that two claims at the same moment are two events. */
      claim: z.string(),
      /** A keyed hash of the request. */
      request: z.string(),
      /** The role that the caller had. */
      role: z.enum(PERSON_ROLES).optional(),
    }),
  },
  'call.answered': { v: 1, seenBy: 'owner', message: false, data: z.strictObject({ answer: z.string() }) },
});
type KeyedDraft = DraftsOf<typeof keyedEvents>;

interface KeyedCall extends SessionRoot {
  readonly claimedAt: string;
  readonly request: string;
  readonly role: PersonRole | undefined;
  /** The encrypted answer. Undefined while the call runs. */
  readonly answer: string | undefined;
}

const domain: LogDomain<KeyedCall> = {
  catalog: keyedEvents,
  empty: (sessionId) => ({
    ...{ sessionId, ownerId: KEYED_OWNER, head: GENESIS, at: isoTime(0) },
    ...{ claimedAt: isoTime(0), request: '', role: undefined, answer: undefined },
  }),
  evolve(state, logged) {
    const { seq, hash, at, kind, data } = logged as EventsOf<typeof keyedEvents>;
    const head = { head: { seq, hash }, at };
    return kind === 'call.claimed'
      ? { ...state, ...head, claimedAt: at, request: data.request, role: data.role }
      : { ...state, ...head, answer: data.answer };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: 'Kept answer', status: 'ACTIVE', phase: 'KEPT', createdAt: at }),
};

/** The log of one key, and what encrypts its answer. */
interface Place extends OwnerOf {
  readonly logId: string;
  /** Returns a keyed hash of a text. */
  readonly sign: (text: string) => Buffer;
}

/**
 * Runs a write of the owner. If the request has an Idempotency-Key, runs it at most once for this key, account, person and route,
 * and answers the same request with the first answer for 24 hours.
 *
 * @throws ParleyError INVALID_INPUT for a malformed key; IDEMPOTENCY_CONFLICT for a key that was used with another request, or whose first
 * call is not answered; UNAUTHORIZED; ROLE_FORBIDDEN; the refusal of the write, after which the key is free again
 */
export async function answerOnce(
  owner: OwnerOf,
  { keys, route, body }: KeyedRequest,
  run: () => Promise<object>,
): Promise<object> {
  const key = readHeaderKey(keys);
  if (key === undefined) return await run();
  const place = placeOf(owner, route, key);
  const request = place.sign(`request ${JSON.stringify(body)}`).toString('hex');
  // The body was read before, which can take long.
  const person = await presentPerson(owner);
  const claimed = await claim(place, {
    claim: randomText(owner.engine.random, CLAIM_CHARS),
    request,
    role: person?.role,
  });
  if (!claimed.isOwn) return answerAgain({ ...place, person }, claimed.state, request, route);
  const answer = await runClaimed(place, run);
  // The write is stored: a failure here must not turn its answer into an error.
  await keep(place, claimed.state, answer).catch(() => undefined);
  return answer;
}

function placeOf(owner: OwnerOf, route: string, key: string): Place {
  const { engine, ownerId, person } = owner;
  const scope = canonicalJson([ownerId, person?.id ?? null, route, key]);
  const secret = createHmac('sha256', engine.key).update(`parley keyed answer ${scope}`).digest();
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return { ...owner, sign, logId: `${KEYED_LOG_PREFIX}${sign('log').toString('hex').slice(0, 40)}` };
}

interface Claim {
  readonly state: KeyedCall;
  /** Whether this call has claimed the key. */
  readonly isOwn: boolean;
}

async function claim(place: Place, data: Extract<KeyedDraft, { kind: 'call.claimed' }>['data']): Promise<Claim> {
  const { engine, logId } = place;
  const known = await load(place);
  if (known && Date.parse(known.claimedAt) + KEPT_MS > engine.clock.now()) return { state: known, isOwn: false };
  if (known) await engine.storage.delete(logId, known.head);
  const prepared = prepare(place, domain.empty(logId), { kind: 'call.claimed', data });
  try {
    await createExactly({ ...engine, domain }, prepared, null);
  } catch (error) {
    const other = await load(place);
    if (!other) throw error;
    return { state: other, isOwn: other.head.hash === prepared.state.head.hash };
  }
  sweep(place);
  return { state: prepared.state, isOwn: true };
}

const prepare = ({ engine }: Place, state: KeyedCall, draft: KeyedDraft) =>
  prepareEvents(domain, state, [attributed(draft, 'system', undefined)], engine.clock.now());

async function load({ engine, logId }: Place): Promise<KeyedCall | undefined> {
  const tail = await engine.storage.fetch(logId, 0);
  return tail?.events.map(readIntactEvent).reduce(domain.evolve, domain.empty(logId));
}

function answerAgain({ engine, person, sign }: Place, known: KeyedCall, request: string, route: string): object {
  if (known.request !== request)
    fail('IDEMPOTENCY_CONFLICT', 'The Idempotency-Key was used before with another request.', {
      hint: 'Send a new request with a new key. Repeat a key only with the request with which it was first sent.',
    });
  if (known.answer !== undefined) {
    // A person whose role was lowered since must not get what that role may not do.
    if (known.role) requireRole(person, known.role, route);
    return open(sign, known.answer);
  }
  const isRunning = engine.clock.now() - Date.parse(known.claimedAt) < RUNNING_MS;
  if (isRunning)
    fail('IDEMPOTENCY_CONFLICT', 'The first request with this Idempotency-Key is not answered yet.', {
      retry_after_seconds: 1,
      hint: 'Send the same request again after retry_after_seconds.',
    });
  return fail(
    'IDEMPOTENCY_CONFLICT',
    'The first request with this Idempotency-Key was never answered, and it is unknown whether it was stored.',
    { hint: 'Read what is stored. If the change is missing, send it with a new key.' },
  );
}

/** Runs the write. If it stores nothing, the key is free again. */
async function runClaimed({ engine, logId }: Place, run: () => Promise<object>): Promise<object> {
  try {
    return await run();
  } catch (error) {
    const isStoredNowhere = error instanceof ParleyError ? error.status < 500 : error instanceof StorageUnavailable;
    // If the key cannot be released, it stays claimed, and the next call says so.
    if (isStoredNowhere) await engine.storage.delete(logId).catch(() => undefined);
    throw error;
  }
}

async function keep(place: Place, claimed: KeyedCall, answer: object): Promise<void> {
  const { engine, logId: sessionId } = place;
  const sealed = seal(place, JSON.stringify(answer));
  const { state, stored: events } = prepare(place, claimed, { kind: 'call.answered', data: { answer: sealed } });
  const append = { sessionId, expected: claimed.head, events, documents: [], listing: domain.listing(state) };
  await appendExactly(engine.storage, engine.clock, append);
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

function seal({ engine, sign }: Place, text: string): string {
  const iv = engine.random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sign('answer'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function open(sign: Place['sign'], sealed: string): object {
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
