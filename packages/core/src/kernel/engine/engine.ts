import type { Emitter } from 'mitt';
import type { Clock } from '../clock.ts';
import { fail, ParleyError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call, Reply } from '../operation/host-port.ts';
import type { Domain, ServiceInfo, SessionRoot } from '../operation/operation.ts';
import { OTHER_LOG_PREFIXES, PEOPLE_LOG } from '../person.ts';
import type { ResponseCache, Sessions } from '../session/sessions.ts';
import type { Documents } from '../session/stored-texts.ts';
import { isStorableText } from '../storage/storable.ts';
import type { Storage } from '../storage/storage.ts';
import type { CertificateKeys } from '../token/certificate-keys.ts';
import type { RandomBytes, TokenFacts } from '../token/token.ts';
import type { PresenceKeeper } from '../waiting/presence-keeper.ts';
import type { Waiters } from '../waiting/waiters.ts';
import type { CommitSignals, ShownHeads } from '../waiting/wake-ups.ts';
import type { OwnerAllowances } from './owner-allowances.ts';

export interface HeavyCallsOptions {
  /** Maximum number of calls that run at the same time. Default 2. */
  readonly atOnce?: number;
  /** Maximum number of calls of one holder that run or wait. Default: any number. */
  readonly ofHolder?: number;
  /** The calls as a plural noun phrase, for the error message. */
  readonly what?: string;
}

export interface HeavyCalls {
  /**
   * Runs a call as soon as fewer than `atOnce` other calls are running. Holders that wait take turns, so that many
   * calls of one holder do not delay the others; the calls of one holder begin in the order in which they arrived.
   *
   * @param holder identifies the caller, such as by the hash of the token
   * @throws ParleyError RATE_LIMITED if `ofHolder` calls of this holder already wait or run
   */
  run<T>(holder: string, call: () => Promise<T>): Promise<T>;
}

/** Creates a queue for expensive calls, such as validations of a contract. */
export function createHeavyCalls({
  atOnce = 2,
  ofHolder = Number.POSITIVE_INFINITY,
  what = 'your calls',
}: HeavyCallsOptions = {}): HeavyCalls {
  const counts = new Map<string, number>();
  /** The waiting calls by holder. The holder whose turn is next comes first. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  const enter = async (holder: string): Promise<void> => {
    if (running < atOnce) running += 1;
    else
      await new Promise<void>((resolve) => {
        const queue = queues.get(holder) ?? [];
        queue.push(resolve);
        queues.set(holder, queue);
      });
  };
  /** Called when a call has ended: starts the first call of the next holder, or frees the place if no call waits. */
  const leave = (): void => {
    const [first] = queues;
    if (!first) {
      running -= 1;
      return;
    }
    const [holder, queue] = first;
    const next = queue.shift();
    queues.delete(holder);
    if (queue.length > 0) queues.set(holder, queue);
    next?.();
  };
  const count = (holder: string, by: 1 | -1): void => {
    const left = (counts.get(holder) ?? 0) + by;
    if (left > 0) counts.set(holder, left);
    else counts.delete(holder);
  };

  return {
    async run(holder, call) {
      if ((counts.get(holder) ?? 0) >= ofHolder)
        fail('RATE_LIMITED', `${ofHolder} of ${what} are still running, which is the limit.`, {
          retry_after_seconds: 1,
        });
      count(holder, 1);
      await enter(holder);
      try {
        return await call();
      } finally {
        leave();
        count(holder, -1);
      }
    },
  };
}

/** A text of at most this many characters is parsed immediately, because parsing takes less than a millisecond. */
const SHORT_TEXT = 8_192;

export interface LongInputQueue {
  /**
   * Resolves when the text of a request, of `chars` characters, may be parsed; returns undefined if the text is short.
   * One long text is parsed in each iteration of the event loop. The holders, which are the senders of the requests,
   * take turns, so that many long texts of one holder do not delay the others.
   */
  next(holder: string, chars: number): Promise<void> | void;
}

export function createLongInputQueue(): LongInputQueue {
  const turns = createHeavyCalls({ atOnce: 1 });
  const iteration = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { next: (holder, chars) => (chars <= SHORT_TEXT ? undefined : turns.run(holder, iteration)) };
}

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
  readonly certificateKeys: CertificateKeys;
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
 * throws or names a state. Sends no query for an id that no session can have, such as the id of the log of people.
 */
export async function loadState<S extends SessionRoot>(
  engine: Engine<S>,
  { sessionId, absent }: Pick<Call<S>, 'sessionId'> & { readonly absent: () => S },
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
  !OTHER_LOG_PREFIXES.some((prefix) => sessionId.startsWith(prefix));
