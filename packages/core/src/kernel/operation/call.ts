import type { Sender } from './host-port.ts';
import type { Caller, DecideEnv, Operation } from './operation.ts';

/** The last event of a write. Its first event is not stored without it. */
export interface WriteEvent {
  readonly sessionId: string;
  readonly seq: number;
  readonly hash: string;
}

/** What a write of the owner with an Idempotency-Key has to do, so that it is stored once. */
export interface Keyed {
  /** The id of a session that the write creates. */
  readonly newSessionId: string;
  /** Stores the answer before the write is sent. @throws ParleyError IDEMPOTENCY_CONFLICT if another call has the key now */
  promise(event: WriteEvent, answer: unknown): Promise<void>;
}

/**
 * One call of an operation. If another write is stored first, the call is decided again, and `identify` runs again on the
 * newer state.
 */
export interface Call<S> {
  readonly operation: Operation<S>;
  readonly sessionId: string;
  /** Returns the caller. Throws if the caller may not make this call in the given state. */
  readonly identify: (state: S) => Caller;
  /**
   * Asks for what is not in the log of the session, such as who makes the call at present. Called before each decision of
   * a write, and before a read is answered; `identify` and `look` then use the answer. Rejects if nobody may make the call
   * any more.
   */
  readonly judge?: ((state: S) => Promise<void>) | undefined;
  /** The state as `decide` and `reply` get it. Its result is not folded, stored or cached. Absent: the state itself. */
  readonly look?: ((state: S) => S) | undefined;
  /** Throws the error for a session that does not exist. */
  readonly absent: () => never;
  /** A text that identifies who makes the call, such as the hash of the token. The long-polls of a holder are counted together. */
  readonly holder: string;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
  /** Called before the events of a write are sent, and again after each lost race. If it rejects, nothing is stored. */
  readonly promise?: Keyed['promise'] | undefined;
  /**
   * The state that the storage confirmed when the token of this request was checked. Undefined if the token was checked
   * on a state that the storage had not confirmed for this request.
   */
  readonly seen?: S | undefined;
  /** The client's connection. Its signal aborts when the client disconnects; only waiting calls use it. */
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}
