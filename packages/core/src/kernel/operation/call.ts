import type { Sender } from './host-port.ts';
import type { Caller, DecideEnv, Operation } from './operation.ts';

/** One authenticated-on-demand call: `identify` is run on every state that the call is tried on. */
export interface Call<S> {
  readonly operation: Operation<S>;
  readonly sessionId: string;
  /** Throws when the caller may not (or no longer) make this call on the given state. */
  readonly identify: (state: S) => Caller;
  /** Refuses when there is no such session. */
  readonly absent: () => never;
  /** Whose held polls are counted together. */
  readonly holder: string;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
  /** A state that a fetch sent for this same request confirmed. */
  readonly seen?: S | undefined;
  /** Who may leave while the call waits; only a call that waits asks for the signal. */
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}
