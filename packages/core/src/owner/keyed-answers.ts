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
 */
import { fail, ParleyError } from '../kernel/errors.ts';
import { readHeaderKey } from '../kernel/operation/arguments.ts';
import type { Keyed } from '../kernel/operation/call.ts';
import type { KeyedRequest } from '../kernel/operation/owner-port.ts';
import { presentPerson, requireRole } from '../kernel/person.ts';
import { StorageUnavailable } from '../kernel/storage/storage.ts';
import { randomText, SESSION_ID_CHARS } from '../kernel/token/token.ts';
import { type KeyedCall, loadKeyed, type Place, placeOf, seal, storeKeyed, trueAnswer, unseal } from './keyed-log.ts';
import type { OwnerOf } from './own-session.ts';

/** Milliseconds after which a call that is not answered has probably ended without an answer: longer than a write is sent again. */
const RUNNING_MS = 20_000;

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
    return unseal(place, first);
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
      const data = { answer: seal(place, answer), session_id: sessionId, seq, hash };
      latest = (await storeKeyed(place, latest, { kind: 'call.promised', data })) ?? notAnsweredYet();
    },
  };
  try {
    const answer = await run(keyed);
    const data = { answer: seal(place, answer) };
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
