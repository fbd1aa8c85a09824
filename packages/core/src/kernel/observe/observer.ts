import { type ErrorCode, ParleyError } from '../errors.ts';
import { OutcomeUnknown, StorageUnavailable } from '../storage/storage.ts';

/** The kind of caller; `unknown` if the call was refused before its role was known. */
export type CallerClass = 'builder' | 'moderator' | 'owner' | 'unknown';

/** One call of an operation. `operation` is its name in the registry. */
export interface OperationFacts {
  readonly operation: string;
  readonly kind: 'read' | 'write' | 'wait';
  readonly role: CallerClass;
  /** `ok`, or the error code. */
  readonly outcome: string;
}

/** One call of the storage. */
export interface StorageFacts {
  readonly call: 'append' | 'fetch';
  /**
   * `failed`: the call failed. An append can also be `refused`, because the log had another head, or `unknown`, if it may
   * have been stored.
   */
  readonly outcome: 'ok' | 'refused' | 'unknown' | 'failed';
}

/**
 * The caches of a process: folded sessions, bodies of events, documents (contract revisions and artifacts), and texts of
 * answers.
 */
export type CacheName = 'sessions' | 'events' | 'documents' | 'answers';

/**
 * Result of writing or reading a snapshot. After writing: `saved`, `failed`, or `refused` (the storage has a later snapshot, or
 * no such session). After reading: `used`, `unreadable`, or `lost` (the log no longer contains the snapshot's last event).
 */
export type SnapshotOutcome = 'saved' | 'refused' | 'failed' | 'used' | 'lost' | 'unreadable';

/**
 * The rate limit that a request has exceeded: of its token, of its client address, of redeeming invitations, or
 * (`forged`) of tokens that this installation did not issue.
 */
export type RateWindow = 'token' | 'address' | 'redeem' | 'person' | 'forged';

/**
 * Facts about a piece of work when its span begins. They contain session ids, which may appear in traces but never as labels
 * of metrics.
 */
export interface SpanFacts {
  readonly work: 'operation' | 'append' | 'fetch';
  /** Name of the operation; left out for calls of the storage. */
  readonly operation?: string;
  /** The session that the work concerns; absent if it concerns several sessions or none. */
  readonly sessionId?: string | undefined;
}

export interface Span {
  /** Calls `begin` while this span is the current one, and returns the result of `begin`. */
  run<T>(begin: () => T): T;
  end(facts: { readonly outcome: string; readonly role?: CallerClass }): void;
}

/**
 * Receives measurements for metrics and traces. All methods are optional. No argument contains a token, a text of an agent
 * or a path. If an observer throws, requests are not affected; the first such error is passed to `onFailure`. Times are in
 * milliseconds.
 */
export interface Observer {
  /** A monotonic clock. Default `performance.now()`. */
  now?(): number;
  operationEnded?(facts: OperationFacts, ms: number): void;
  /** Called for each error that leaves the service, also if the operation is not known yet. */
  answeredError?(code: ErrorCode): void;
  /**
   * Called when a waiting request was answered. `ms` is the time since this process learned of the event that ended the
   * wait: since it stored that event itself, or since it began to fetch it from the storage.
   */
  woken?(ms: number): void;
  /** Called when a write has lost a race against another write. The call is then decided again on the new state. */
  raceLost?(): void;
  storageCalled?(facts: StorageFacts, ms: number): void;
  cacheRead?(cache: CacheName, isHit: boolean): void;
  snapshotEnded?(outcome: SnapshotOutcome): void;
  rateRefused?(window: RateWindow): void;
  /** Opens a span for work that begins now. Returns undefined if this work is not traced. */
  openSpan?(facts: SpanFacts): Span | undefined;
}

/** An observer as the kernel uses it: has every method, and none throws. */
export type SafeObserver = Required<Observer>;

/**
 * Makes an observer that has every method and never throws.
 *
 * @param onFault receives the first error that a method of `observer` throws
 */
export function guardObserver(observer: Observer, onFault: (error: unknown) => void): SafeObserver {
  const guarded = guardedBy(onFault);
  const { now = () => performance.now() } = observer;
  const openSpan = guarded((facts: SpanFacts) => observer.openSpan?.(facts));
  return {
    now,
    operationEnded: guarded((facts, ms) => observer.operationEnded?.(facts, ms)),
    answeredError: guarded((code) => observer.answeredError?.(code)),
    woken: guarded((ms) => observer.woken?.(ms)),
    raceLost: guarded(() => observer.raceLost?.()),
    storageCalled: guarded((facts, ms) => observer.storageCalled?.(facts, ms)),
    cacheRead: guarded((cache, isHit) => observer.cacheRead?.(cache, isHit)),
    snapshotEnded: guarded((outcome) => observer.snapshotEnded?.(outcome)),
    rateRefused: guarded((window) => observer.rateRefused?.(window)),
    openSpan: (facts) => guardedSpan(openSpan(facts), guarded),
  };
}

type Guard = <F extends readonly unknown[], R>(call: (...facts: F) => R) => (...facts: F) => R | undefined;

function guardedBy(onFault: (error: unknown) => void): Guard {
  let isReported = false;
  return (call) =>
    (...facts) => {
      try {
        return call(...facts);
      } catch (error) {
        if (!isReported) onFault(error);
        isReported = true;
        return undefined;
      }
    };
}

/**
 * Wraps a span. The `run` of the wrapper calls its argument `begin` exactly once, even if `span.run` throws or does not
 * call `begin`.
 */
function guardedSpan(span: Span | undefined, guarded: Guard): Span | undefined {
  return (
    span && {
      run<T>(begin: () => T): T {
        let begun: { readonly value: T } | undefined;
        const once = (): T => {
          begun ??= { value: begin() };
          return begun.value;
        };
        guarded(() => span.run(once))();
        return once();
      },
      end: guarded((facts) => span.end(facts)),
    }
  );
}

/** The code with which an error is sent to the caller. */
export function outcomeOf(error: unknown): ErrorCode {
  if (error instanceof ParleyError) return error.code;
  const isAway = error instanceof StorageUnavailable || error instanceof OutcomeUnknown;
  return isAway ? 'STORAGE_UNAVAILABLE' : 'INTERNAL';
}

/**
 * Upper bound of the memory that a text takes, in bytes. V8 uses one byte per character if all characters are Latin-1, otherwise
 * two.
 */
export const heapBytes = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** The size of one cache of this process, and its limit. */
export interface CacheUse {
  readonly cache: CacheName;
  readonly entries: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

export const cacheUseOf = (
  cache: CacheName,
  {
    size,
    calculatedSize,
    maxSize,
  }: { readonly size: number; readonly calculatedSize: number; readonly maxSize: number },
): CacheUse => ({ cache, entries: size, bytes: calculatedSize, limitBytes: maxSize });
