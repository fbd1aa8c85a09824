import type { Sender } from './host-port.ts';
import type { Caller, DecideEnv, Operation } from './operation.ts';

/** One call of an operation. If the call is decided again on a newer state, `identify` runs again too. */
export interface Call<S> {
  readonly operation: Operation<S>;
  readonly sessionId: string;
  /** Throws if the caller may not make this call on the given state. */
  readonly identify: (state: S) => Caller;
  /** Called if the session does not exist; throws the error for the caller. */
  readonly absent: () => never;
  /** Identifies the sender whose held polls are counted together. */
  readonly holder: string;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
  /** The state that a fetch sent for this request has confirmed; undefined if there was no such fetch. */
  readonly seen?: S | undefined;
  /** The client's connection. Its signal aborts when the client leaves; only waiting calls use it. */
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}
