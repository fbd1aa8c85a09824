import type { Emitter } from 'mitt';
import type { Clock } from '../clock.ts';
import { ParleyError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { ServiceInfo } from '../operation/operation.ts';
import { ERASURE_LOG_PREFIX, KEYED_LOG_PREFIX, PEOPLE_LOG } from '../person.ts';
import type { Reply } from '../reply.ts';
import type { Documents } from '../session/documents.ts';
import type { ResponseCache } from '../session/response-cache.ts';
import type { Sessions } from '../session/sessions.ts';
import { isStorableText } from '../storage/storable.ts';
import type { Storage } from '../storage/storage.ts';
import type { TokenFacts } from '../token/read-token.ts';
import type { RandomBytes } from '../token/token.ts';
import type { PresenceKeeper } from '../waiting/presence-keeper.ts';
import type { ShownHeads } from '../waiting/shown-heads.ts';
import type { Waiters } from '../waiting/waiters.ts';
import type { CommitSignals } from '../waiting/wake-ups.ts';
import type { HeavyCalls } from './heavy-calls.ts';
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
  /** Checks the limits of owners. If absent, owners have no limits. */
  readonly allowances?: OwnerAllowances | undefined;
  /** Whether the person with an id may invite agents at present. If absent, every invitation may be redeemed. */
  readonly mayInvite?: ((personId: string) => Promise<boolean>) | undefined;
  /** The installation secret. */
  readonly key: string;
  readonly service: ServiceInfo;
  readonly observer?: SafeObserver | undefined;
  /** Called if storing the times of the agents' latest calls fails; once for several failures in a row. */
  readonly onPresenceFailure?: ((error: unknown) => void) | undefined;
  /** Called if something that follows a stored write fails, such as a listener. The write gets its answer all the same. */
  readonly onCommittedFailure?: ((error: unknown) => void) | undefined;
}

export interface Engine<S extends SessionRoot> extends EngineParts<S> {
  readonly waiters: Waiters<S>;
  readonly signals: Emitter<CommitSignals<S>>;
  readonly longInputs: LongInputQueue;
  /** The reads of owners, who take turns, so that many reads of one owner delay neither the others nor the agents. */
  readonly ownerReads: HeavyCalls;
  readonly presence: PresenceKeeper;
  readonly shown: ShownHeads;
  run(call: Call<S>): Promise<Reply>;
  /** Reads the facts that the text of a token contains, such as its session. */
  readToken(token: string): TokenFacts;
}

/**
 * Loads the state at the head that the storage has now. If the session is unknown or deleted, calls `absent`, which
 * throws. Sends no query for an id that no session can have, such as the id of the log of people.
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
 * Gives a session whose log is broken a place in its owner's inbox, in the background. If that fails, the error is ignored: the
 * next call on the session tries again.
 */
export function noteBroken<S extends SessionRoot>({ storage }: Engine<S>, sessionId: string): void {
  storage.inbox?.noteBroken(sessionId).catch(() => undefined);
}

const isSessionOfStorage = (sessionId: string): boolean =>
  isStorableText(sessionId) &&
  sessionId !== PEOPLE_LOG.sessionId &&
  !sessionId.startsWith(ERASURE_LOG_PREFIX) &&
  !sessionId.startsWith(KEYED_LOG_PREFIX);
