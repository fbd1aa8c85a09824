import type { Emitter } from 'mitt';
import type { Clock } from '../clock.ts';
import { ParleyError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { ServiceInfo } from '../operation/operation.ts';
import { ERASURE_LOG_PREFIX, PEOPLE_LOG } from '../person.ts';
import type { Reply } from '../reply.ts';
import type { Documents } from '../session/documents.ts';
import type { ResponseCache } from '../session/response-cache.ts';
import type { Sessions } from '../session/sessions.ts';
import { isStorableText } from '../storage/storable.ts';
import type { Storage } from '../storage/storage.ts';
import type { TokenFacts } from '../token/read-token.ts';
import type { RandomBytes } from '../token/token.ts';
import type { PresenceKeeper } from '../waiting/presence-keeper.ts';
import type { Waiters } from '../waiting/waiters.ts';
import type { CommitSignals } from '../waiting/wake-ups.ts';
import type { LongInputQueue } from './long-input-queue.ts';
import type { OwnerAllowances } from './owner-allowances.ts';

export interface EngineParts<S extends SessionRoot> {
  readonly domain: Domain<S>;
  readonly storage: Storage;
  readonly sessions: Sessions<S>;
  readonly documents: Documents;
  readonly responseCache: ResponseCache<S>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly limits: Limits;
  /** The limits of owners. Absent: no owner has limits. */
  readonly allowances?: OwnerAllowances | undefined;
  /** The installation secret. */
  readonly key: string;
  readonly service: ServiceInfo;
  /** Receives the measurements of the calls. */
  readonly observer?: SafeObserver | undefined;
  /**
   * Called if the last calls of agents cannot be stored. It is called again only for a failure after they were stored
   * successfully.
   */
  readonly onPresenceFailure?: ((error: unknown) => void) | undefined;
}

export interface Engine<S extends SessionRoot> extends EngineParts<S> {
  readonly waiters: Waiters<S>;
  readonly signals: Emitter<CommitSignals<S>>;
  readonly longInputs: LongInputQueue;
  /** The last calls of the agents. */
  readonly presence: PresenceKeeper;
  /** Runs one operation and returns its reply. */
  run(call: Call<S>): Promise<Reply>;
  /** Reads the facts in the text of a token, such as its hash and its session. */
  readToken(token: string): TokenFacts;
}

/**
 * Loads the state at the head that the storage has now. If the session is deleted or unknown, calls `absent`, which throws.
 * Calls `absent` without a query for an id that no storage could store, and for the ids of the log of people and of the logs of erasures. If the log is
 * broken, the owner's inbox shows the session from then on.
 */
export async function loadState<S extends SessionRoot>(
  engine: Engine<S>,
  { sessionId, absent }: Pick<Call<S>, 'sessionId' | 'absent'>,
): Promise<S> {
  try {
    return (isSessionOfStorage(sessionId) ? await engine.sessions.load(sessionId) : null) ?? absent();
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'LOG_BROKEN') noteBroken(engine, sessionId);
    throw error;
  }
}

/**
 * Gives a session whose log is broken a place in its owner's inbox, in the background. Errors are ignored: the next call on the
 * session does it again.
 */
export function noteBroken<S extends SessionRoot>({ storage }: Engine<S>, sessionId: string): void {
  storage.inbox?.noteBroken(sessionId).catch(() => undefined);
}

const isSessionOfStorage = (sessionId: string): boolean =>
  isStorableText(sessionId) && sessionId !== PEOPLE_LOG.sessionId && !sessionId.startsWith(ERASURE_LOG_PREFIX);
