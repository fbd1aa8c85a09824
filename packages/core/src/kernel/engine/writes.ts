/**
 * Runs a write: decides on a state, appends the events by compare-and-swap on the head of the log, replies.
 *
 * Deciding a call on one state has one of four outcomes:
 *
 * | Outcome     | Entered when                                          | Left by                                             |
 * |-------------|-------------------------------------------------------|-----------------------------------------------------|
 * | `append`    | `decide` returned events                              | The append wins: reply from the state after it.     |
 * |             |                                                       | It loses: pause, reload the state, decide again.    |
 * | `unchanged` | `decide` returned no events                           | State confirmed: reply from it. Else see below.     |
 * | `replayed`  | An earlier call had this idempotency key and payload, | As `unchanged`, with the events of the first call.  |
 * |             | or made the open record that this call would repeat   |                                                     |
 * | `refused`   | Authentication, a check or `decide` threw ParleyError | State confirmed: throw it. Else see below.          |
 *
 * The first decision is made on the cached state, which another process may have made stale. An `append` needs no other
 * check, because the compare-and-swap refuses it on a stale state. The other outcomes count only on a confirmed state,
 * which a fetch sent for this request returned. If that fetch returns another head, the call is decided again.
 *
 * Cannot happen:
 * - Anything is stored by another outcome than `append`, or `append` stores a part of its events.
 * - Events are stored after a state other than the state on which `decide` ran.
 * - The reply overlooks a revocation, a pause or any other event that the storage knew when the request arrived: every
 *   outcome is checked against the head of the log, and each decision authenticates the caller again.
 * - A person who acts for the owner is judged as when the request arrived: `judge` asks again right before each decision,
 *   so after the body was read, after the wait for earlier writes, and after a lost race.
 * - `decide` runs again after its events were stored: an append of unknown outcome is resolved in `appendExactly`.
 * - An answer says that a stored write failed: the reply is made before the append, and errors after it are reported only.
 */
import { sleep } from '../clock.ts';
import { ERROR_KINDS, fail, ParleyError } from '../errors.ts';
import type { LoggedEvent } from '../log/event.ts';
import { type Call, type Reply, replyOf } from '../operation/host-port.ts';
import type { DecideEnv, SessionRoot } from '../operation/operation.ts';
import { appendExactly } from '../session/append.ts';
import type { RandomBytes } from '../token/token.ts';
import {
  type AcceptedWrite,
  type Append,
  decideWrite,
  type Replayed,
  refused,
  repeatOrAppend,
  replyToWrite,
  seqsToCompare,
  type WriteResult,
  type Writing,
  withWarnings,
} from './decide-write.ts';
import { type Engine, loadState } from './engine.ts';
import { type OwnerAllowances, ownerUseOf, type Reservation } from './owner-allowances.ts';
import { loadSources, mintOnce } from './replies.ts';

/**
 * Maximum number of races that one write may lose. If another process wins every second race, 16 losses in a row happen once in
 * 65,000 writes.
 */
const MAX_LOSSES = 16;
/** The pause after a lost race, in milliseconds. It is random, so that two processes do not retry at the same moments. */
const PAUSE_MS = { min: 2, max: 50 } as const;

/**
 * Runs a write, and returns its reply.
 *
 * @throws ParleyError the refusal of the operation; CONFLICT after 16 lost races
 */
export async function runWrite<S extends SessionRoot>(engine: Engine<S>, call: Call<S>): Promise<Reply> {
  const writing: Writing<S> = { engine, call, mint: mintOnce(engine, call.sessionId) };
  const result = await appendWithRetries(writing, await decideFirst(writing));
  if ('reply' in result) return result.reply;
  if (result.outcome === 'refused') {
    const { refusal, state } = result;
    if (ERROR_KINDS[refusal.code].showsHead)
      engine.shown.note(call.sessionId, call.identify(state).role, state.head.seq);
    throw refusal;
  }
  return replyTo(writing, result, result.outcome === 'replayed' ? await readFirstUse(engine, call, result.first) : []);
}

const replyTo = <S extends SessionRoot>(
  writing: Writing<S>,
  result: AcceptedWrite<S>,
  firstUse: readonly LoggedEvent[],
): Reply => replyOf(withWarnings(result, replyToWrite(writing, result, firstUse)));

/** A write that is stored, with its reply. */
interface Stored {
  readonly reply: Reply;
}

/**
 * Decides the write for the first time, on the cached state. Returns an `append` that is not stored yet, or another outcome
 * on a confirmed state.
 */
async function decideFirst<S extends SessionRoot>(writing: Writing<S>): Promise<WriteResult<S>> {
  const { engine, call } = writing;
  const cached = engine.sessions.peek(call.sessionId) ?? call.seen;
  if (!cached) return await decideOnce(writing, await loadState(engine, call));
  const result = await decideOnce(writing, cached);
  const isConfirmed = cached.head.hash === call.seen?.head.hash;
  if (result.outcome === 'append' || isConfirmed) return result;
  const fresh = await loadState(engine, call);
  return fresh.head.hash === result.state.head.hash ? result : await decideOnce(writing, fresh);
}

/**
 * Stores an `append`. After a lost race, decides again. Returns the reply of an `append` that is stored, or another outcome. The
 * reply is made before the append is sent: a reply that cannot be made stores nothing.
 */
async function appendWithRetries<S extends SessionRoot>(
  writing: Writing<S>,
  first: WriteResult<S>,
): Promise<Exclude<WriteResult<S>, Append<S>> | Stored> {
  let result = first;
  let losses = 0;
  while (result.outcome === 'append') {
    const reply = replyTo(writing, result, []);
    const { sessionId, promise } = writing.call;
    if (promise) await promise({ sessionId, ...result.prepared.state.head }, reply.value);
    const { allowances } = writing.engine;
    const reservation = allowances && (await reserveFor(allowances, writing.call, result));
    if (reservation instanceof ParleyError) {
      const { hash } = (await loadState(writing.engine, writing.call)).head;
      if (hash === result.state.head.hash) return refused(result.state, reservation);
    } else if (await commitReserved(writing.engine, result, reservation)) return { reply };
    losses += 1;
    result = await decideAgain(writing, losses);
  }
  return result;
}

/**
 * Counts the events and documents of an append for the limits of the session's owner. Returns the refusal if the append
 * would exceed a limit of the owner.
 */
const reserveFor = <S extends SessionRoot>(
  allowances: OwnerAllowances,
  { operation: { worksAtLimit } }: Call<S>,
  { state, prepared: { stored, documents } }: Append<S>,
): Promise<Reservation | ParleyError> => allowances.reserve(state.ownerId, ownerUseOf(stored, documents), worksAtLimit);

/** Appends the events. If they are not stored, they no longer count for the limits of the session's owner. */
async function commitReserved<S extends SessionRoot>(
  engine: Engine<S>,
  append: Append<S>,
  reservation: Reservation | undefined,
): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await commit(engine, append);
    return isStored;
  } finally {
    if (isStored) reservation?.keep();
    else reservation?.release();
  }
}

/**
 * After a lost race, pauses, loads the state and decides the write again.
 *
 * @param losses number of races that this write has lost so far
 * @throws ParleyError CONFLICT after {@link MAX_LOSSES} losses, if the write still has events to append
 */
async function decideAgain<S extends SessionRoot>(writing: Writing<S>, losses: number): Promise<WriteResult<S>> {
  const { engine, call } = writing;
  engine.observer?.raceLost();
  await sleep(engine.clock, randomPauseMs(engine.random));
  const result = await decideOnce(writing, await loadState(engine, call));
  if (result.outcome === 'append' && losses === MAX_LOSSES)
    fail(
      'CONFLICT',
      `The write was not stored: other writes to this session were stored first, ${losses} times in a row.`,
    );
  return result;
}

async function decideOnce<S extends SessionRoot>(writing: Writing<S>, state: S): Promise<WriteResult<S>> {
  try {
    const loading = loadSources(writing.engine, writing.call, state);
    const loaded = loading instanceof Promise ? await loading : loading;
    if (writing.call.judge) await writing.call.judge(loaded.state);
    const result = decideWrite(writing, loaded);
    if (result.outcome !== 'append') return result;
    const seqs = seqsToCompare(writing.engine, writing.call, result);
    const stored = seqs.length > 0 ? await writing.engine.sessions.read(writing.call.sessionId, seqs) : [];
    return repeatOrAppend(writing.engine, writing.call, result, stored);
  } catch (error) {
    return refused(state, error);
  }
}

/**
 * Appends the prepared events, and wakes the requests that wait for news of the session. Returns false if another write was stored
 * first.
 */
async function commit<S extends SessionRoot>(
  engine: Engine<S>,
  { state: before, prepared }: Append<S>,
): Promise<boolean> {
  const { state, stored, documents } = prepared;
  const { sessionId } = state;
  const listing = engine.domain.listing(state);
  const place = engine.domain.inboxPlace(state, engine.limits.silentAfterMs);
  const append = { sessionId, expected: before.head, events: stored, documents, listing, place };
  const tick = engine.waiters.tick();
  if ((await appendExactly(engine.storage, engine.clock, append)) === 'refused') return false;
  try {
    engine.documents.keep(sessionId, documents);
    const isLatest = engine.sessions.keep(before.head, state, stored);
    engine.signals.emit('committed', { state, tick, isLatest });
  } catch (error) {
    // The write is stored: whoever listens to it must not turn its answer into an error.
    engine.onCommittedFailure?.(error);
  }
  return true;
}

/**
 * The events of the first call. Reads the event that the first call with the idempotency key stored.
 *
 * @throws ParleyError CONFLICT if a failover removed that event after the state was confirmed
 */
async function readFirstUse<S extends SessionRoot>(
  { sessions }: Engine<S>,
  { sessionId, idempotency }: Call<S>,
  first: Replayed<S>['first'],
): Promise<readonly LoggedEvent[]> {
  if ('events' in first) return first.events;
  const [event] = await sessions.read(sessionId, [first.seq]);
  const stored: Partial<NonNullable<DecideEnv['idempotency']>> = Object(event?.data).idempotency ?? {};
  const isSame = stored.key === idempotency?.key && stored.fingerprint === idempotency?.fingerprint;
  if (event && isSame) return [event];
  return fail('CONFLICT', 'A database failover removed events of this session while the request ran.');
}

function randomPauseMs(random: RandomBytes): number {
  const [byte = 0] = random(1);
  return PAUSE_MS.min + (byte / 255) * (PAUSE_MS.max - PAUSE_MS.min);
}
