import type { Sender } from './host-port.ts';
import type { Caller, DecideEnv, Operation } from './operation.ts';

/** One call of an operation. `identify` runs on every state on which the call is decided. */
export interface Call<S> {
  readonly operation: Operation<S>;
  readonly sessionId: string;
  /** Throws if the caller may not make this call on the given state. */
  readonly identify: (state: S) => Caller;
  /** Throws if the session does not exist. */
  readonly absent: () => never;
  /** The holder for whom held polls are counted. */
  readonly holder: string;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
  /** A state that a fetch sent for this same request confirmed. */
  readonly seen?: S | undefined;
  /** Aborts when the client leaves. Only waiting calls use it. */
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}
