import type { Emitter } from 'mitt';
import type { Clock } from '../clock.ts';
import type { Limits } from '../limits.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { ServiceInfo } from '../operation/operation.ts';
import type { Reply } from '../reply.ts';
import type { Documents } from '../session/documents.ts';
import type { ResponseCache } from '../session/response-cache.ts';
import type { Sessions } from '../session/sessions.ts';
import { isStorableText } from '../storage/storable.ts';
import type { Storage } from '../storage/storage.ts';
import type { TokenFacts } from '../token/read-token.ts';
import type { RandomBytes } from '../token/token.ts';
import type { Waiters } from '../waiting/waiters.ts';
import type { CommitSignals } from '../waiting/wake-ups.ts';
import type { LongInputQueue } from './long-input-queue.ts';

export interface EngineParts<S extends SessionRoot> {
  readonly domain: Domain<S>;
  readonly storage: Storage;
  readonly sessions: Sessions<S>;
  readonly documents: Documents;
  readonly responseCache: ResponseCache<S>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly limits: Limits;
  /** The installation secret. */
  readonly key: string;
  readonly service: ServiceInfo;
  /** Receives measurements of the calls. */
  readonly observer?: SafeObserver | undefined;
}

export interface Engine<S extends SessionRoot> extends EngineParts<S> {
  readonly waiters: Waiters<S>;
  readonly signals: Emitter<CommitSignals<S>>;
  readonly longInputs: LongInputQueue;
  /** Runs one operation and returns its reply. */
  run(call: Call<S>): Promise<Reply>;
  /** The facts that the text of a token contains: its hash and its session. */
  readToken(token: string): TokenFacts;
}

/**
 * Loads the state at the head that the storage names now. If the session is deleted or unknown, calls `absent`, which throws.
 * For an id that no storage could store, does so without a query.
 */
export async function loadState<S extends SessionRoot>(
  { sessions }: Engine<S>,
  { sessionId, absent }: Pick<Call<S>, 'sessionId' | 'absent'>,
): Promise<S> {
  return (isStorableText(sessionId) ? await sessions.load(sessionId) : null) ?? absent();
}
