import { type ErrorCode, ParleyError } from '../errors.ts';
import { OutcomeUnknown, StorageUnavailable } from '../storage/storage.ts';

/** Who called, as far as a call got: `unknown` where it was refused before that was certain. */
export type CallerClass = 'builder' | 'moderator' | 'owner' | 'unknown';

/** One operation, named as the registry names it. */
export interface OperationFacts {
  readonly operation: string;
  readonly kind: 'read' | 'write' | 'wait';
  readonly role: CallerClass;
  /** `ok`, or the code of the refusal. */
  readonly outcome: string;
}

/** One call of the storage. */
export interface StorageFacts {
  readonly call: 'append' | 'fetch';
  /** `ok`; for an append also `refused` (another head) and `unknown` (it may have landed); else `failed`. */
  readonly outcome: 'ok' | 'refused' | 'unknown' | 'failed';
}

/** What is kept in memory: folded sessions, bodies of events, contract revisions and artifacts, texts of answers. */
export type CacheName = 'sessions' | 'events' | 'documents' | 'answers';

/**
 * What became of a snapshot. Written: `saved`, `refused` (the storage has a later one, or no such session any more) or
 * `failed`. Read: `used`, `lost` (the log does not hold its event any more) or `unreadable`.
 */
export type SnapshotOutcome = 'saved' | 'refused' | 'failed' | 'used' | 'lost' | 'unreadable';

/** Whose limit was reached; `forged` is a token that nobody was given. */
export type RateWindow = 'token' | 'address' | 'redeem' | 'forged';

/** A stretch of work that begins. Ids of sessions are identifiers, not secrets: fit for traces, never for labels. */
export interface SpanFacts {
  readonly work: 'operation' | 'append' | 'fetch';
  /** The operation's name; left out for calls of the storage. */
  readonly operation?: string;
  /** Left out for what is of no one session. */
  readonly sessionId?: string | undefined;
}

export interface Span {
  /** Calls `begin` while this span is the current one, and returns what it returns. */
  run<T>(begin: () => T): T;
  end(facts: { readonly outcome: string; readonly role?: CallerClass }): void;
}

/**
 * Is told how the service fares, for metrics and traces. Every method may be left out. Nothing that it is told holds a
 * token, a text of an agent or a path. What it throws reaches no request; the first such fault is told to `onFailure`.
 * Times are milliseconds.
 */
export interface Observer {
  /** A clock that never goes back. Default `performance.now()`. */
  now?(): number;
  operationEnded?(facts: OperationFacts, ms: number): void;
  /** An error left the service, also one that came before any operation was known. */
  answeredError?(code: ErrorCode): void;
  /** A held request got its answer, so long after this process knew that there was one. */
  woken?(ms: number): void;
  /** Another write to the session came first; the call is tried again on the new state. */
  raceLost?(): void;
  storageCalled?(facts: StorageFacts, ms: number): void;
  cacheRead?(cache: CacheName, isHit: boolean): void;
  snapshotEnded?(outcome: SnapshotOutcome): void;
  rateRefused?(window: RateWindow): void;
  /** Opens a span for work that begins now, or nothing where it is not traced. */
  openSpan?(facts: SpanFacts): Span | undefined;
}

/** An observer as the kernel uses it: every method is there, and none throws. */
export type SafeObserver = Required<Observer>;

/** @param onFault is told of the first method that threw */
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

type Guard = <F extends readonly unknown[], R>(tell: (...facts: F) => R) => (...facts: F) => R | undefined;

function guardedBy(onFault: (error: unknown) => void): Guard {
  let isTold = false;
  return (tell) =>
    (...facts) => {
      try {
        return tell(...facts);
      } catch (error) {
        if (!isTold) onFault(error);
        isTold = true;
        return undefined;
      }
    };
}

/** What was begun inside of a span is begun once, whatever the span does. */
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

/** The code under which an error leaves the service. */
export function outcomeOf(error: unknown): ErrorCode {
  if (error instanceof ParleyError) return error.code;
  const isAway = error instanceof StorageUnavailable || error instanceof OutcomeUnknown;
  return isAway ? 'STORAGE_UNAVAILABLE' : 'INTERNAL';
}
