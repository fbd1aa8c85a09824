import type { ParleyError } from '../errors.ts';
import type { Call } from '../operation/host-port.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { roleClass } from '../operation/registry.ts';
import type { Role } from '../roles.ts';
import { OutcomeUnknown, type Storage } from '../storage/storage.ts';
import type { Bucket, RateWindows, Windows } from '../token/rate-windows.ts';
import { type CallerClass, type OperationFacts, outcomeOf, type SafeObserver, type StorageFacts } from './observer.ts';

export async function observeCall<S extends SessionRoot, T>(
  observer: SafeObserver,
  call: Call<S>,
  run: (call: Call<S>) => Promise<T>,
): Promise<T> {
  const { operation, sessionId, identify } = call;
  let role: CallerClass = 'unknown';
  const known: Call<S> = {
    ...call,
    identify(state) {
      const caller = identify(state);
      role = classOf(caller.role);
      return caller;
    },
  };
  const facts = { operation: operation.name, kind: kindOf(call) };
  return await observeWork(
    observer,
    { sessionId, ...facts },
    () => run(known),
    () => role,
  );
}

const classOf = (role: Role): CallerClass => (role === 'owner' ? role : roleClass(role));

/** A call of a waiting operation counts as a read if its input asks for no wait. */
const kindOf = <S>({ operation: { decide, waits }, input }: Call<S>): OperationFacts['kind'] => {
  if (decide) return 'write';
  return (waits?.seconds(input) ?? 0) > 0 ? 'wait' : 'read';
};

interface Work {
  readonly operation: string;
  readonly kind: OperationFacts['kind'];
  readonly sessionId?: string | undefined;
}

/** Runs work inside a span that has the operation's name. */
export async function observeWork<T>(
  observer: SafeObserver,
  { operation, kind, sessionId }: Work,
  begin: () => Promise<T>,
  roleOf: () => CallerClass,
): Promise<T> {
  const start = observer.now();
  const span = observer.openSpan({ work: 'operation', operation, sessionId });
  const end = (outcome: string): void => {
    const role = roleOf();
    span?.end({ outcome, role });
    observer.operationEnded({ operation, kind, role, outcome }, observer.now() - start);
  };
  try {
    const value = await (span ? span.run(begin) : begin());
    end('ok');
    return value;
  } catch (error) {
    end(outcomeOf(error));
    throw error;
  }
}

export function instrumentStorage(storage: Storage, observer: SafeObserver): Storage {
  const observed: Pick<Storage, 'append' | 'fetch'> = {
    append: (append) => {
      const facts = { call: 'append', sessionId: append.sessionId } as const;
      return observeStorageCall(
        observer,
        facts,
        () => storage.append(append),
        (answer) => (answer === 'appended' ? 'ok' : 'refused'),
      );
    },
    fetch: (sessionId, after, skipIfMoreThan) =>
      observeStorageCall(
        observer,
        { call: 'fetch', sessionId },
        () => storage.fetch(sessionId, after, skipIfMoreThan),
        () => 'ok',
      ),
  };
  const names: ReadonlySet<string | symbol> = new Set(Object.keys(observed));
  // A Proxy is used and not a copy of the storage. A copy would lose the methods of a class's prototype, and members that an
  // adapter has in addition to the port.
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(names.has(name) ? observed : target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function observeStorageCall<T>(
  observer: SafeObserver,
  { call, sessionId }: { readonly call: StorageFacts['call']; readonly sessionId: string },
  begin: () => Promise<T>,
  outcomeOfAnswer: (answer: T) => StorageFacts['outcome'],
): Promise<T> {
  const start = observer.now();
  const span = observer.openSpan({ work: call, sessionId });
  const end = (outcome: StorageFacts['outcome']): void => {
    span?.end({ outcome });
    observer.storageCalled({ call, outcome }, observer.now() - start);
  };
  try {
    const answer = await (span ? span.run(begin) : begin());
    end(outcomeOfAnswer(answer));
    return answer;
  } catch (error) {
    end(error instanceof OutcomeUnknown ? 'unknown' : 'failed');
    throw error;
  }
}

type Translate = (thrown: unknown) => ParleyError;

/** Wraps the function that converts errors for callers, and reports the code of each error. */
export const instrumentErrors =
  (translate: Translate, observer: SafeObserver): Translate =>
  (thrown) => {
    const error = translate(thrown);
    observer.answeredError(error.code);
    return error;
  };

export const instrumentWindows = ({ counted, forged }: Windows, observer: SafeObserver): Windows => ({
  counted: observeTaking(counted, ({ window }) => observer.rateRefused(window)),
  forged: observeTaking(forged, () => observer.rateRefused('forged')),
});

const observeTaking = (windows: RateWindows, onRefusal: (bucket: Bucket) => void): RateWindows => ({
  async take(bucket, limit, amount) {
    try {
      await windows.take(bucket, limit, amount);
    } catch (error) {
      if (outcomeOf(error) === 'RATE_LIMITED') onRefusal(bucket);
      throw error;
    }
  },
});
