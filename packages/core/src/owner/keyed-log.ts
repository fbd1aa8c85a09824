import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { fail, ParleyError } from '../kernel/errors.ts';
import { attributed, GENESIS, readIntactEvent } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf, ownersOnly } from '../kernel/log/event-catalog.ts';
import { readHeaderKey } from '../kernel/operation/arguments.ts';
import type { Keyed, WriteEvent } from '../kernel/operation/host-port.ts';
import type { SessionRoot } from '../kernel/operation/operation.ts';
import {
  KEYED_LOG_PREFIX,
  KEYED_OWNER,
  PERSON_ROLES,
  type PersonRole,
  presentPerson,
  requireRole,
} from '../kernel/person.ts';
import { prepareEvents, storeExactly } from '../kernel/session/append.ts';
import { ownLogDomain } from '../kernel/session/own-log.ts';
import { StorageUnavailable } from '../kernel/storage/storage.ts';
import { canonicalJson } from '../kernel/text/hash.ts';
import { randomText, SESSION_ID_CHARS, seal, unseal } from '../kernel/token/token.ts';
import { type OwnerOf, sessionsOf } from './own-session.ts';

/**
 * Answers of the owner's writes that were sent with an Idempotency-Key. Each key has a log of its own, stored like a session under an
 * id that no session has. Its states:
 *
 * | State      | Entered when                                       | A call with the same key gets                        |
 * |------------|----------------------------------------------------|------------------------------------------------------|
 * | none       | The key is new, or 24 hours old                    | It runs.                                             |
 * | `claimed`  | A call begins                                      | 409 for 20 s: the first call is not answered yet.    |
 * |            |                                                    | Then it claims the key again, and runs.              |
 * | `promised` | A write to one session is about to be sent: the    | The answer, if the session has the event; nothing is |
 * |            | answer and the hash of the event are stored        | stored. Otherwise as `claimed`.                      |
 * | `answered` | The call has succeeded                             | The first answer, and nothing is stored.             |
 * | none       | The call was refused, or the storage was away      | It runs.                                             |
 *
 * A process that ends during a call leaves the key `claimed` or `promised`. The next call then finds out whether the write is
 * stored. A write without a promise concerns people, accounts, several sessions, or deletes a session: a second one
 * changes nothing or is refused.
 *
 * Cannot happen: a write to one session is stored twice for one key. The promises are appended to the log of the key by
 * compare-and-swap, and the event is appended to the session by compare-and-swap: a call whose key another call has claimed makes
 * no further promise, and an event that it has promised before is stored instead of the event of the other call or never.
 * A session that is created has the id of the first claim, so two calls cannot create two. Also cannot happen: a caller reads the answer
 * of another account or person, or of a key that it did not send; a person whose rights ended while the body was on its way gets an
 * answer. The log has neither the key nor the request nor the answer in clear:
 * the answer, which may contain an invitation code, is encrypted with a key that is derived from the Idempotency-Key.
 *
 * First come the events of such a log, what they fold into and the encryption of the answers in them, then the calls.
 */

/** How long a key is known, in milliseconds: a client that was away for a day starts anew. */
const KEPT_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;

const keyedEvents = defineEvents({
  'call.claimed': ownersOnly({
    /** A random text, so that two claims at the same moment are two events. It has the form of a session id. */
    claim: z.string(),
    /** A keyed hash of the request. */
    request: z.string(),
    /** The role that the caller had. */
    role: z.enum(PERSON_ROLES).optional(),
  }),
  'call.promised': ownersOnly({ answer: z.string(), session_id: z.string(), seq: z.int(), hash: z.string() }),
  'call.answered': ownersOnly({ answer: z.string() }),
});
type KeyedDraft = DraftsOf<typeof keyedEvents>;

interface KeptAnswer {
  /** The encrypted answer. */
  readonly sealed: string;
  readonly role: PersonRole | undefined;
  /** The last event of the write. The answer is true if the log of its session has this event. */
  readonly event?: WriteEvent;
}

interface KeyedCall extends SessionRoot {
  /** When the key was first claimed, and when it was last claimed. */
  readonly bornAt: string;
  readonly claimedAt: string;
  /** The text of the first claim. */
  readonly firstClaim: string;
  readonly request: string;
  readonly role: PersonRole | undefined;
  readonly answers: readonly KeptAnswer[];
}

const domain = ownLogDomain<KeyedCall>({
  ...{ catalog: keyedEvents, ownerId: KEYED_OWNER, title: 'Kept answer', phase: 'KEPT' },
  start: { bornAt: '', claimedAt: '', firstClaim: '', request: '', role: undefined, answers: [] },
  evolve(state, logged) {
    const { at, kind, data } = logged as EventsOf<typeof keyedEvents>;
    if (kind === 'call.claimed') {
      const first = state.firstClaim === '' ? { bornAt: at, firstClaim: data.claim } : {};
      return { ...first, claimedAt: at, request: data.request, role: data.role };
    }
    const of =
      kind === 'call.promised' ? { event: { sessionId: data.session_id, seq: data.seq, hash: data.hash } } : {};
    return { answers: [...state.answers, { sealed: data.answer, role: state.role, ...of }] };
  },
});

/** The log of one key, and what encrypts its answers. */
interface Place extends OwnerOf {
  readonly logId: string;
  /** Returns a keyed hash of a text. */
  readonly sign: (text: string) => Buffer;
}

function placeOf(owner: OwnerOf, route: string, key: string): Place {
  const { engine, ownerId, person } = owner;
  const scope = canonicalJson([ownerId, person?.id ?? null, route, key]);
  const secret = createHmac('sha256', engine.key).update(`parley keyed answer ${scope}`).digest();
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return { ...owner, sign, logId: `${KEYED_LOG_PREFIX}${sign('log').toString('hex').slice(0, 40)}` };
}

/** The log of the key. Undefined if there is none; a log that is a day old is deleted first. */
async function loadKeyed(place: Place): Promise<KeyedCall | undefined> {
  const { engine, logId } = place;
  const tail = await engine.storage.fetch(logId, 0);
  const known = tail?.events.map(readIntactEvent).reduce(domain.evolve, domain.empty(logId));
  if (!known || Date.parse(known.bornAt) + KEPT_MS > engine.clock.now()) return known;
  await engine.storage.delete(logId, known.head);
  return undefined;
}

/** Stores an event, as the first one without `before`. Returns undefined if another call has stored one first. */
async function storeKeyed(
  place: Place,
  before: KeyedCall | undefined,
  draft: KeyedDraft,
): Promise<KeyedCall | undefined> {
  const { engine, logId: sessionId } = place;
  const drafts = [attributed(draft, 'system', undefined)];
  const prepared = prepareEvents(domain, before ?? domain.empty(sessionId), drafts, engine.clock.now());
  if (!(await storeExactly({ ...engine, domain }, before?.head ?? GENESIS, prepared))) return undefined;
  if (!before) sweep(place);
  return prepared.state;
}

/** The first answer that is true. Undefined if no write of the key is stored. */
async function trueAnswer({ engine }: Place, { answers }: KeyedCall): Promise<KeptAnswer | undefined> {
  for (const kept of answers) {
    const { event } = kept;
    const [stored] = event ? await engine.storage.events(event.sessionId, event.seq, event.seq) : [];
    if (!event || stored?.hash === event.hash) return kept;
  }
  return undefined;
}

const sealed = ({ engine, sign }: Place, answer: unknown): string =>
  seal(sign('answer'), engine.random, JSON.stringify(answer));

const unsealed = ({ sign }: Place, kept: KeptAnswer): object => Object(JSON.parse(unseal(sign('answer'), kept.sealed)));

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

/** Milliseconds after which a call that is not answered has probably ended without an answer: longer than a write is sent again. */
const RUNNING_MS = 20_000;

/** A write that may be sent again. */
export interface KeyedRequest {
  /** Raw values of the Idempotency-Key header. If there is none, the write runs each time. */
  readonly keys: readonly string[];
  /** The method and the path. Each route has keys of its own. */
  readonly route: string;
  /** The request as a JSON value. The same key with another value is refused. */
  readonly body: unknown;
}

/**
 * Runs a write of the owner. If the request has an Idempotency-Key, runs it at most once for this key, account, person and route,
 * and answers the same request with the first answer for 24 hours.
 *
 * @param run makes the write. A write to one session must pass `keyed` on
 * @throws ParleyError INVALID_INPUT for a malformed key; IDEMPOTENCY_CONFLICT for a key that was used with another request, or whose first
 * call is not answered; UNAUTHORIZED; ROLE_FORBIDDEN; the refusal of the write, after which the key is free again
 */
export async function answerOnce(
  owner: OwnerOf,
  { keys, route, body }: KeyedRequest,
  run: (keyed?: Keyed) => Promise<object>,
): Promise<object> {
  const key = readHeaderKey(keys);
  if (key === undefined) return await run();
  const place = placeOf(owner, route, key);
  const request = place.sign(`request ${JSON.stringify(body)}`).toString('hex');
  // The body was read before, which can take long.
  const person = await presentPerson(owner);
  const known = await loadKeyed(place);
  const first = known && (await firstAnswer(place, known, request));
  if (first) {
    // A person whose role was lowered since must not get what that role may not do.
    if (first.role) requireRole(person, first.role, route);
    return unsealed(place, first);
  }
  const claim = randomText(owner.engine.random, SESSION_ID_CHARS);
  const data = { claim, request, role: person?.role };
  const claimed = (await storeKeyed(place, known, { kind: 'call.claimed', data })) ?? notAnsweredYet();
  return await runClaimed(place, claimed, run);
}

/**
 * The answer to an earlier call. Undefined if none is stored and the earlier call has probably ended.
 *
 * @throws ParleyError IDEMPOTENCY_CONFLICT
 */
async function firstAnswer(place: Place, known: KeyedCall, request: string) {
  if (known.request !== request)
    fail('IDEMPOTENCY_CONFLICT', 'The Idempotency-Key was used before with another request.', {
      hint: 'Send a new request with a new key. Repeat a key only with the request with which it was first sent.',
    });
  const answer = await trueAnswer(place, known);
  const isRunning = place.engine.clock.now() - Date.parse(known.claimedAt) < RUNNING_MS;
  return answer ?? (isRunning ? notAnsweredYet() : undefined);
}

const notAnsweredYet = (): never =>
  fail('IDEMPOTENCY_CONFLICT', 'The first request with this Idempotency-Key is not answered yet.', {
    retry_after_seconds: 1,
    hint: 'Send the same request again after retry_after_seconds.',
  });

/** Runs the write, and keeps its answer. If it stores nothing, the key is free again. */
async function runClaimed(place: Place, claimed: KeyedCall, run: (keyed: Keyed) => Promise<object>): Promise<object> {
  const { engine, logId } = place;
  let latest = claimed;
  const keyed: Keyed = {
    newSessionId: claimed.firstClaim,
    async promise({ sessionId, seq, hash }, answer) {
      if (await trueAnswer(place, claimed)) notAnsweredYet();
      const data = { answer: sealed(place, answer), session_id: sessionId, seq, hash };
      latest = (await storeKeyed(place, latest, { kind: 'call.promised', data })) ?? notAnsweredYet();
    },
  };
  try {
    const answer = await run(keyed);
    const data = { answer: sealed(place, answer) };
    // The write is stored: a failure here must not turn its answer into an error.
    await storeKeyed(place, latest, { kind: 'call.answered', data }).catch(() => undefined);
    return answer;
  } catch (error) {
    const isStoredNowhere = error instanceof ParleyError ? error.status < 500 : error instanceof StorageUnavailable;
    // An earlier call may still store what it has promised. If the key cannot be released, it stays claimed.
    if (isStoredNowhere && claimed.answers.length === 0)
      await engine.storage.delete(logId, latest.head).catch(() => undefined);
    throw error;
  }
}
