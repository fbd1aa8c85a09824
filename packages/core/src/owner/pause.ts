import { pauseTogether, resumeTogether } from '../areas/owner/session.ts';
import type { SessionState } from '../areas/state.ts';
import { type ErrorCode, ParleyError } from '../kernel/errors.ts';
import { mapConcurrent } from '../kernel/maps.ts';
import { readInput } from '../kernel/operation/input.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { OutcomeUnknown, StorageUnavailable } from '../kernel/storage/storage.ts';
import { randomText } from '../kernel/token/token.ts';
import { OWNER_METHODS, type OwnerMethodOutput, roleForMethod } from './methods.ts';
import { inEachSession, judgedPerson, type OwnerOf, runOwn, SESSIONS_AT_ONCE, sessionsOf } from './own-session.ts';

const PAUSE_ID_CHARS = 16;

type Failure = OwnerMethodOutput<'pauseAll'>['failed'][number];

/**
 * Pauses every ACTIVE session of the owner. Each pause event contains `pause_id`. The sessions are listed again until none is
 * ACTIVE, so that a session that is started meanwhile is paused too.
 */
export async function pauseAll(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'pauseAll'>> {
  const { reason, pause_id = randomText(owner.engine.random, PAUSE_ID_CHARS) } = readInput(
    OWNER_METHODS.pauseAll.input,
    raw,
  );
  await judgedPerson(owner, roleForMethod('pauseAll'), 'pauseAll');
  const paused: string[] = [];
  const failed: Failure[] = [];
  await inEachSession(
    () => idsIn(owner, 'ACTIVE'),
    async (sessionId) => {
      const result = await attempt(owner, sessionId, pauseTogether, { reason, pause_id });
      if ('failure' in result) failed.push(...result.failure);
      else if (result.value.pause_id === pause_id) paused.push(sessionId);
    },
  );
  return { pause_id, paused, failed };
}

/**
 * Resumes the sessions that one call of `pauseAll` has paused. A session that was resumed or paused again since then is not
 * changed.
 */
export async function resumeAll(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'resumeAll'>> {
  const { pause_id } = readInput(OWNER_METHODS.resumeAll.input, raw);
  await judgedPerson(owner, roleForMethod('resumeAll'), 'resumeAll');
  const states = await mapConcurrent(SESSIONS_AT_ONCE, await idsIn(owner, 'PAUSED'), (id) => pausedState(owner, id));
  const failed = states.flatMap((found) => ('failure' in found ? found.failure : []));
  const paused = states.flatMap((found) => ('pauseId' in found ? [found] : []));
  const wanted = pause_id ?? paused.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0]?.pauseId;
  const resumed: string[] = [];
  if (wanted === undefined) return { resumed, failed };
  const due = paused.filter(({ pauseId }) => pauseId === wanted);
  await mapConcurrent(SESSIONS_AT_ONCE, due, async ({ sessionId }) => {
    const result = await attempt(owner, sessionId, resumeTogether, { pause_id: wanted });
    if ('failure' in result) failed.push(...result.failure);
    else if (result.value.resumed) resumed.push(sessionId);
  });
  return { resumed, failed };
}

async function idsIn(owner: OwnerOf, status: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const listed of sessionsOf(owner)) if (listed.status === status) ids.push(listed.sessionId);
  return ids;
}

/**
 * Returns the `pause_id` and the time of the call of `pauseAll` that has paused a session. Returns a failure if the
 * session cannot be read, and an empty list of failures if no such call has paused the session.
 */
async function pausedState(
  { engine, ownerId }: OwnerOf,
  sessionId: string,
): Promise<
  { readonly sessionId: string; readonly pauseId: string; readonly at: string } | { readonly failure: Failure[] }
> {
  try {
    const state = await engine.sessions.load(sessionId);
    const pauseId = state?.ownerId === ownerId && state.profile.status === 'PAUSED' ? state.profile.pause_id : null;
    return state && pauseId !== null ? { sessionId, pauseId, at: state.times.statusAt } : { failure: [] };
  } catch (error) {
    return { failure: failureOf(sessionId, error) };
  }
}

/**
 * Runs a write in one session. If the write fails, returns the failure instead of throwing it. Throws if the person who
 * makes the call may not make it any more: the sessions that were written until then stay so.
 */
async function attempt<I, O>(
  owner: OwnerOf,
  sessionId: string,
  operation: Operation<SessionState, string, I, O>,
  input: I,
): Promise<{ readonly value: O } | { readonly failure: Failure[] }> {
  try {
    return { value: await runOwn({ ...owner, sessionId }, operation, input) };
  } catch (error) {
    return { failure: failureOf(sessionId, error) };
  }
}

/** Codes of the refusals of a person who may not make the call any more, in this session or another. */
const ENDS_CALL: readonly ErrorCode[] = ['UNAUTHORIZED', 'ROLE_FORBIDDEN'];

/** The failure of a session that could not be changed. Empty if the session was deleted meanwhile. */
export function failureOf(session_id: string, error: unknown): Failure[] {
  if (error instanceof ParleyError && !ENDS_CALL.includes(error.code))
    return error.code === 'UNKNOWN_RECORD' ? [] : [{ session_id, code: error.code, text: error.message }];
  if (error instanceof StorageUnavailable || error instanceof OutcomeUnknown) {
    const text = 'The database did not answer: send the call again with the same pause_id.';
    return [{ session_id, code: 'STORAGE_UNAVAILABLE', text }];
  }
  throw error;
}
