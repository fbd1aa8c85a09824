import type { Engine } from '../engine/engine.ts';
import { CredentialsMissing, fail, ParleyError } from '../errors.ts';
import { MAX_TOKEN_CHARS } from '../limits.ts';
import type { Call, Sender } from '../operation/host-port.ts';
import type { AgentCaller, Operation, SessionRoot } from '../operation/operation.ts';
import { bucketOf, type Windows } from '../token/rate-windows.ts';
import type { TokenFacts } from '../token/token.ts';

/**
 * Authenticates requests that carry a token. A request passes through these states:
 *
 * | State           | Held as                                      | Moved on by                                            |
 * |-----------------|----------------------------------------------|--------------------------------------------------------|
 * | `anonymous`     | `Sender`: headers and address                | `admitSender` counts it and authenticates its token    |
 * | `authenticated` | `AuthenticatedRequest`, not confirmed: the   | `confirm` fetches the state and authenticates again;   |
 * |                 | token is valid on the cached state           | the engine confirms the state before it answers        |
 * | `confirmed`     | `AuthenticatedRequest`, confirmed: the token | Nothing: its state serves the checks and one answer    |
 * |                 | is valid on a state fetched for this request |                                                        |
 * | `refused`       | The ParleyError that was thrown              | Nothing                                                |
 *
 * If the session is not in the cache, or the cached state refuses the token, `anonymous` goes straight to `confirmed`.
 *
 * Cannot happen:
 *
 * - An `AuthenticatedRequest` changes: each function that authenticates or confirms returns a new one.
 * - A check refuses an `authenticated` request. `refuseOnceConfirmed` confirms first: if another process revoked the
 *   token, the request gets TOKEN_REVOKED and no other error.
 * - A caller authenticated on one state gets an answer made from another state: `callerOn` authenticates on the state
 *   from which the answer is made.
 *
 * First comes what needs no session: finding the token of a request, and counting the request in its rate window.
 */

const BEARER = /^Bearer (prt_[\x21-\x7e]*)$/;
const PATH_TOKEN = /^prt_[A-Za-z0-9_-]{16,200}$/;

/** Returns the token of a request, or null if the request has no well-formed token. */
export function readToken({ authorization, pathToken }: Sender): string | null {
  if (pathToken !== undefined) return pathToken !== null && PATH_TOKEN.test(pathToken) ? pathToken : null;
  const token = authorization.length === 1 ? BEARER.exec(authorization[0] ?? '')?.[1] : undefined;
  return token !== undefined && token.length <= MAX_TOKEN_CHARS ? token : null;
}

/**
 * Counts a request by its token. If it has no well-formed token, counts it by its address.
 *
 * @returns the facts that the token's text contains, or null if the request has no well-formed token
 * @throws ParleyError RATE_LIMITED
 */
export async function countSender<S extends SessionRoot>(
  engine: Engine<S>,
  { counted, forged }: Windows,
  sender: Sender,
): Promise<TokenFacts | null> {
  const token = readToken(sender);
  if (token === null) {
    await counted.take(bucketOf('address', sender.address), engine.limits.perAddress, 1);
    return null;
  }
  const facts = engine.readToken(token);
  const taken = (facts.sessionId === null ? forged : counted).take(facts.bucket, engine.limits.perToken, 1);
  if (taken) await taken; // For windows in memory, `taken` is not a promise, and the facts are returned without waiting.
  return facts;
}

const SEND_HEADER = 'Send exactly one header "Authorization: Bearer prt_...".';
const SEGMENT_RULE =
  'The last segment of the path is not a token. A token in the path is prt_ and 16 to 200 letters, digits, _ or -, with nothing after it.';

/**
 * Refuses a request without a well-formed token. The message names the place of the token: the header or the path.
 * `hint` explains how a client without a token joins a session.
 */
function refuseCredentials({ authorization, pathToken }: Sender, hint: string): never {
  if (pathToken === null)
    fail('UNAUTHORIZED', `This service does not accept tokens in the path. ${SEND_HEADER}`, { hint });
  if (pathToken?.startsWith('pinv_')) fail('UNAUTHORIZED', CODE_SENT, { hint });
  if (pathToken !== undefined) fail('UNAUTHORIZED', SEGMENT_RULE, { hint });
  if (authorization.every((value) => value === ''))
    throw new CredentialsMissing(`The request has no token. ${SEND_HEADER}`, { hint });
  if (authorization.some((value) => INVITATION.test(value))) fail('UNAUTHORIZED', CODE_SENT, { hint });
  if (authorization.some((value) => OWNER_KEY.test(value))) fail('UNAUTHORIZED', KEY_SENT, { hint: OWNER_PLACE });
  return fail('UNAUTHORIZED', `The Authorization header has no valid token. ${SEND_HEADER}`, { hint });
}

const OWNER_KEY = /^(?:Bearer +)?pok_/i;
const KEY_SENT = 'A key of the owner (pok_...) was sent in place of the token of an agent (prt_...).';
const OWNER_PLACE =
  'This route is for agents. The owner calls the API whose address ends in /owner/api, with this key, or runs the command parley.';
const INVITATION = /^(?:Bearer +)?pinv_/i;
const CODE_SENT =
  'An invitation code (pinv_...) was sent in place of a token (prt_...). Exchange the code for a token first.';

/** A token that this installation issued. Its session may have been deleted. */
export interface IssuedToken extends TokenFacts {
  readonly sessionId: string;
}

/** A request whose token is valid on `state`. */
export interface AuthenticatedRequest<S> {
  readonly token: IssuedToken;
  readonly state: S;
  /** The caller, as authenticated on `state`. Valid until the token expires. */
  readonly caller: AgentCaller;
  /** Whether `state` was fetched for this request. */
  readonly isConfirmed: boolean;
}

/**
 * Counts a request and authenticates its token. These are the first two checks of every request with a token.
 *
 * @throws ParleyError RATE_LIMITED, UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED
 */
export async function admitSender<S extends SessionRoot>(
  engine: Engine<S>,
  windows: Windows,
  sender: Sender,
): Promise<AuthenticatedRequest<S>> {
  const facts = (await countSender(engine, windows, sender)) ?? refuseCredentials(sender, engine.service.joining);
  return await admitToken(engine, facts);
}

/** Authenticates a token on the cached state, or else on the stored one. Records the time of the call for the owner's views of the agents. */
export async function admitToken<S extends SessionRoot>(
  engine: Engine<S>,
  token: TokenFacts,
): Promise<AuthenticatedRequest<S>> {
  const request = authenticateCached(engine, token) ?? (await authenticateStored(engine, token));
  engine.presence.called(request.token.sessionId, request.caller.role);
  return request;
}

/**
 * Authenticates a token on the cached state. Undefined if no state is cached. Also undefined if the cached state refuses
 * the token, because that state may be stale.
 */
export function authenticateCached<S extends SessionRoot>(
  engine: Engine<S>,
  token: TokenFacts,
): AuthenticatedRequest<S> | undefined {
  if (!isIssued(token)) return unknownToken();
  const state = engine.sessions.peek(token.sessionId);
  const caller = state && unlessRefused(() => authenticateOn(engine, token, state));
  return state && caller && { token, state, caller, isConfirmed: false };
}

/** Authenticates a token on the state at the present head. Throws if the token is not valid there. */
export async function authenticateStored<S extends SessionRoot>(
  engine: Engine<S>,
  token: TokenFacts,
): Promise<AuthenticatedRequest<S>> {
  if (!isIssued(token)) return unknownToken();
  const state = (await engine.sessions.load(token.sessionId)) ?? unknownToken();
  return { token, state, caller: authenticateOn(engine, token, state), isConfirmed: true };
}

const isIssued = (token: TokenFacts): token is IssuedToken => token.sessionId !== null;

/** Refuses a token that this installation did not issue, and a token of a deleted session. Both get the same answer. */
const unknownToken = (): never => fail('UNAUTHORIZED', 'This service does not know this token.');

/**
 * Returns a confirmed request. If the request is not confirmed yet, fetches the state and authenticates the token on it.
 * Throws if the token is no longer valid.
 */
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

/**
 * Runs a check of a request. If the check throws, confirms the token first, then throws the error again. A check that
 * does not wait is answered without waiting.
 */
export function refuseOnceConfirmed<S extends SessionRoot, T>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  check: () => T | Promise<T>,
): T | Promise<T> {
  const refuse = async (error: unknown): Promise<never> => {
    await confirm(engine, request);
    throw error;
  };
  try {
    const checked = check();
    return checked instanceof Promise ? checked.catch(refuse) : checked;
  } catch (error) {
    return refuse(error);
  }
}

/**
 * Whether the token may call the operation, according to the confirmed state, or to the newest cached state if the request is
 * not confirmed. The cached state may be stale: if the result is false, `confirmAccess` decides.
 */
export function hasAccess<S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  operation: Operation<S>,
): boolean {
  const known = request.isConfirmed ? request.state : engine.sessions.peek(request.token.sessionId);
  return known !== undefined && unlessRefused(() => callerOn(engine, request, operation)(known)) !== undefined;
}

/**
 * Confirms the request and checks its access to the operation.
 *
 * @throws ParleyError INSUFFICIENT_SCOPE, PERMISSION_DENIED, or the code of the reason why the token is no longer valid
 */
export async function confirmAccess<S extends SessionRoot>(
  engine: Engine<S>,
  request: AuthenticatedRequest<S>,
  operation: Operation<S>,
): Promise<AuthenticatedRequest<S>> {
  const confirmed = await confirm(engine, request);
  callerOn(engine, confirmed, operation)(confirmed.state);
  return confirmed;
}

/**
 * Returns a function that authenticates the caller on a given state and checks its access to the operation. On the
 * request's own state the token is already authenticated, so only its expiry is checked.
 */
const callerOn =
  <S extends SessionRoot>(engine: Engine<S>, request: AuthenticatedRequest<S>, operation: Operation<S>) =>
  (state: S): AgentCaller => {
    const isKnown = state === request.state && engine.clock.now() < request.caller.expiresAt;
    const caller = isKnown ? request.caller : authenticateOn(engine, request.token, state);
    engine.domain.checkScope(state, operation, caller);
    return caller;
  };

/** The members of a call that do not come from the authenticated request. */
type CallParts<S> = Pick<Call<S>, 'operation' | 'input' | 'idempotency' | 'sender' | 'maxWaitSeconds'>;

/**
 * Makes the call of an operation from an authenticated request. Its members are copied one by one, because a spread took 4
 * µs here.
 */
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
