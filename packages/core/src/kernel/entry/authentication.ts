/**
 * Authenticates requests that carry a token. A request passes through these states:
 *
 * | State           | Held as                                      | Moved on by                                            |
 * |-----------------|----------------------------------------------|--------------------------------------------------------|
 * | `anonymous`     | `Sender`: headers and address                | `admitSender` counts it and authenticates its token    |
 * | `authenticated` | `AuthenticatedRequest`, not confirmed: the   | `confirm` fetches the state and authenticates again;   |
 * |                 | token holds on the cached state              | the engine confirms what it answers by itself          |
 * | `confirmed`     | `AuthenticatedRequest`, confirmed: the token | Nothing: its state serves the checks and one answer    |
 * |                 | holds on a state fetched for this request    |                                                        |
 * | `refused`       | The ParleyError that was thrown              | Nothing                                                |
 *
 * If the session is not in the cache, or the cached state refuses the token, `anonymous` goes straight to `confirmed`.
 *
 * Cannot happen:
 * - An `AuthenticatedRequest` changes. Each function returns a new one, so a batch may keep one for several calls.
 * - A check refuses an `authenticated` request. `refuseOnceConfirmed` confirms first, so that a token which another process
 *   revoked gets TOKEN_REVOKED and no other error.
 * - A request is answered by the caller of one state on the data of another: `callerOn` authenticates on the state it gets.
 */
import type { Engine } from '../engine/engine.ts';
import { fail, ParleyError } from '../errors.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Sender } from '../operation/host-port.ts';
import type { AgentCaller, Operation } from '../operation/operation.ts';
import type { Windows } from '../token/rate-windows.ts';
import type { TokenFacts } from '../token/read-token.ts';
import { countSender, refuseCredentials } from './bearer-token.ts';

/** A token that this installation made, for a session that may be gone. */
interface IssuedToken extends TokenFacts {
  readonly sessionId: string;
}

/** A request whose token was found to hold on `state`. */
export interface AuthenticatedRequest<S> {
  readonly token: IssuedToken;
  readonly state: S;
  /** The caller on `state`, until the token expires. */
  readonly caller: AgentCaller;
  /** Whether `state` came from a fetch that was sent for this request. */
  readonly isConfirmed: boolean;
}

/**
 * Counts the request and authenticates its token: the first two checks of every request with a token.
 *
 * @throws ParleyError RATE_LIMITED, UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED
 */
export async function admitSender<S extends SessionRoot>(
  engine: Engine<S>,
  windows: Windows,
  sender: Sender,
): Promise<AuthenticatedRequest<S>> {
  const facts = (await countSender(engine, windows, sender)) ?? refuseCredentials(sender);
  return authenticateCached(engine, facts) ?? (await authenticateStored(engine, facts));
}

/** Authenticates a token on the cached state. Returns undefined if there is none or it refuses the token: it may be stale. */
export function authenticateCached<S extends SessionRoot>(
  engine: Engine<S>,
  token: TokenFacts,
): AuthenticatedRequest<S> | undefined {
  if (!isIssued(token)) return unknownToken();
  const state = engine.sessions.peek(token.sessionId);
  const caller = state && unlessRefused(() => authenticateOn(engine, token, state));
  return state && caller && { token, state, caller, isConfirmed: false };
}

/** Authenticates a token on the state that the storage has now. Throws if the token does not hold on it. */
export async function authenticateStored<S extends SessionRoot>(
  engine: Engine<S>,
  token: TokenFacts,
): Promise<AuthenticatedRequest<S>> {
  if (!isIssued(token)) return unknownToken();
  const state = (await engine.sessions.load(token.sessionId)) ?? unknownToken();
  return { token, state, caller: authenticateOn(engine, token, state), isConfirmed: true };
}

const isIssued = (token: TokenFacts): token is IssuedToken => token.sessionId !== null;

/** Refuses a token that belongs to no session. A token of a deleted session gets the same answer. */
const unknownToken = (): never => fail('UNAUTHORIZED', 'This service does not know this token.');

/** The request on a state fetched for it; the request itself if it is confirmed already. Throws if its token no longer holds. */
export async function confirm<S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
): Promise<AuthenticatedRequest<S>> {
  return request.isConfirmed ? request : await authenticateStored(engine, request.token);
}

const authenticateOn = <S extends SessionRoot>(
  { domain, clock }: Engine<S>,
  token: TokenFacts,
  state: S,
): AgentCaller => domain.authenticate(state, token.tokenHash, clock.now());

function unlessRefused<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof ParleyError) return undefined;
    throw error;
  }
}

/** Runs a check of a request. If it throws, the token is confirmed before the error is thrown again. */
export async function refuseOnceConfirmed<S extends SessionRoot, T>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await confirm(engine, request);
    throw error;
  }
}

/** Whether the token may call the operation, by the best state at hand. If not, `confirmAccess` decides. */
export function hasAccess<S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  operation: Operation<S>,
): boolean {
  const known = request.isConfirmed ? request.state : engine.sessions.peek(request.token.sessionId);
  return known !== undefined && unlessRefused(() => callerOn(engine, request, operation)(known)) !== undefined;
}

/** The confirmed request. @throws ParleyError INSUFFICIENT_SCOPE, PERMISSION_DENIED, or why the token no longer holds */
export async function confirmAccess<S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  operation: Operation<S>,
): Promise<AuthenticatedRequest<S>> {
  const confirmed = await confirm(engine, request);
  callerOn(engine, confirmed, operation)(confirmed.state);
  return confirmed;
}

/** The caller of the operation on a given state, or the refusal. The request's own state needs no second look-up. */
const callerOn =
  <S extends SessionRoot>(engine: Engine<S>, request: AuthenticatedRequest<S>, operation: Operation<S>) =>
  (state: S): AgentCaller => {
    const isKnown = state === request.state && engine.clock.now() < request.caller.expiresAt;
    const caller = isKnown ? request.caller : authenticateOn(engine, request.token, state);
    engine.domain.checkScope(state, operation, caller);
    return caller;
  };

/** The members of a call other than its caller and its session. */
type CallParts<S> = Pick<Call<S>, 'operation' | 'input' | 'idempotency' | 'sender' | 'maxWaitSeconds'>;

/** The call of an operation by an authenticated request. Members are named one by one: a spread here took 4 us. */
export const callOf = <S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  { operation, input, idempotency, sender, maxWaitSeconds }: CallParts<S>,
): Call<S> => ({
  operation,
  sessionId: request.token.sessionId,
  identify: callerOn(engine, request, operation),
  absent: unknownToken,
  holder: request.token.tokenHash,
  input,
  idempotency,
  seen: request.isConfirmed ? request.state : undefined,
  sender,
  maxWaitSeconds,
});
