import type { Engine } from '../engine/engine.ts';
import { CredentialsMissing, fail, ParleyError } from '../errors.ts';
import { MAX_TOKEN_CHARS } from '../limits.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Sender } from '../operation/host-port.ts';
import type { AgentCaller, Caller, Operation } from '../operation/operation.ts';
import type { Agent } from '../roles.ts';
import { type Bucket, bucketOf, type Windows } from '../token/rate-windows.ts';
import type { TokenFacts } from '../token/read-token.ts';

/** A request whose token was authenticated; `found` says on which state. */
export interface AuthenticatedRequest<S> {
  readonly tokenHash: string;
  readonly bucket: Bucket;
  readonly sessionId: string;
  readonly role: Agent;
  /** The state confirmed by a fetch sent for this request; undefined while only the cache was asked. */
  seen: S | undefined;
  /** The caller, and the state on which the token was authenticated: valid for that state until the token expires. */
  found: { readonly state: S; readonly caller: AgentCaller };
}

type Bearer<S> = Pick<AuthenticatedRequest<S>, 'tokenHash'> & Partial<Pick<AuthenticatedRequest<S>, 'found'>>;

const BEARER = /^Bearer (prt_[\x21-\x7e]*)$/;
const PATH_TOKEN = /^prt_[A-Za-z0-9_-]{16,200}$/;

/** The well-formed token of a request, or null. */
export function readToken({ authorization, pathToken }: Sender): string | null {
  if (pathToken !== undefined) return pathToken !== null && PATH_TOKEN.test(pathToken) ? pathToken : null;
  const token = authorization.length === 1 ? BEARER.exec(authorization[0] ?? '')?.[1] : undefined;
  return token !== undefined && token.length <= MAX_TOKEN_CHARS ? token : null;
}

/**
 * Counts a request for its token, or for its address if it has no well-formed token.
 * @returns the facts from the token's text, or null
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
  if (taken) await taken;
  return facts;
}

/**
 * Counts the request and finds its token: the first two checks of every request with a token.
 *
 * @throws ParleyError RATE_LIMITED, UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED
 */
export async function admitSender<S extends SessionRoot>(
  engine: Engine<S>,
  windows: Windows,
  sender: Sender,
): Promise<AuthenticatedRequest<S>> {
  const { tokenHash, bucket, sessionId } = (await countSender(engine, windows, sender)) ?? refuseCredentials(sender);
  return findToken(engine, { tokenHash, bucket, sessionId: sessionId ?? unknownToken() });
}

/** Describes the fault of the place in which the token was expected. */
function refuseCredentials({ authorization, pathToken }: Sender): never {
  if (pathToken === null) fail('UNAUTHORIZED', `Tokens in the path are switched off here. ${SEND_HEADER}`);
  if (pathToken !== undefined) fail('UNAUTHORIZED', SEGMENT_RULE);
  if (authorization.every((value) => value === '')) throw new CredentialsMissing(SEND_HEADER);
  return fail('UNAUTHORIZED', SEND_HEADER);
}

const SEND_HEADER = 'Send exactly one header "Authorization: Bearer prt_...".';
const SEGMENT_RULE =
  'The path segment is not a token: it must be prt_ followed by 16 to 200 letters, digits, _ or -, and end the path.';

/** Finds a token without counting the request. */
export async function authenticateToken<S extends SessionRoot>(
  engine: Engine<S>,
  token: string,
): Promise<AuthenticatedRequest<S>> {
  const { tokenHash, bucket, sessionId } = engine.readToken(token);
  return findToken(engine, { tokenHash, bucket, sessionId: sessionId ?? unknownToken() });
}

/** A token of a deleted session gets the same answer as an unknown token. */
export const unknownToken = (): never => fail('UNAUTHORIZED', 'This service does not know this token.');

type TokenLookup<S> = Pick<AuthenticatedRequest<S>, 'tokenHash' | 'bucket' | 'sessionId'>;

function findToken<S extends SessionRoot>(
  engine: Engine<S>,
  lookup: TokenLookup<S>,
): AuthenticatedRequest<S> | Promise<AuthenticatedRequest<S>> {
  const { tokenHash, bucket, sessionId } = lookup;
  const known = engine.sessions.peek(sessionId);
  const caller = known && tryAuthenticate(engine, known, tokenHash);
  if (!known || !caller) return loadToken(engine, lookup);
  return { tokenHash, bucket, sessionId, role: caller.role, seen: undefined, found: { state: known, caller } };
}

async function loadToken<S extends SessionRoot>(
  engine: Engine<S>,
  { tokenHash, bucket, sessionId }: TokenLookup<S>,
): Promise<AuthenticatedRequest<S>> {
  const seen = (await engine.sessions.load(sessionId)) ?? unknownToken();
  const found = { state: seen, caller: authenticate(engine, seen, { tokenHash }) };
  return { tokenHash, bucket, sessionId, role: found.caller.role, seen, found };
}

/** Throws if the token does not authenticate on this state. */
function authenticate<S extends SessionRoot>({ domain, clock }: Engine<S>, state: S, bearer: Bearer<S>): AgentCaller {
  const { found } = bearer;
  const now = clock.now();
  if (found?.state === state && now < found.caller.expiresAt) return found.caller;
  const caller = domain.authenticate(state, bearer.tokenHash, now);
  bearer.found = { state, caller };
  return caller;
}

function tryAuthenticate<S extends SessionRoot>(
  engine: Engine<S>,
  state: S,
  tokenHash: string,
): AgentCaller | undefined {
  try {
    return authenticate(engine, state, { tokenHash });
  } catch (error) {
    if (error instanceof ParleyError) return undefined;
    throw error;
  }
}

/** Confirms the token on a head that the storage confirmed for this request. */
export async function confirmToken<S extends SessionRoot>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
): Promise<S> {
  authenticated.seen ??= (await engine.sessions.load(authenticated.sessionId)) ?? unknownToken();
  authenticate(engine, authenticated.seen, authenticated);
  return authenticated.seen;
}

/**
 * Runs a check. Before its error is thrown, the token is confirmed against the storage, so that a revoked token gets
 * TOKEN_REVOKED and not this error. Synchronous if the check is synchronous and passes.
 */
export function refuseOnceConfirmed<S extends SessionRoot, T>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
  check: () => T | Promise<T>,
): T | Promise<T> {
  const refuse = async (error: unknown): Promise<never> => {
    if (authenticated.seen === undefined) await confirmToken(engine, authenticated);
    throw error;
  };
  try {
    const checked = check();
    return checked instanceof Promise ? checked.catch(refuse) : checked;
  } catch (error) {
    return refuse(error);
  }
}

/** The caller of an operation on a given state, or the refusal. */
export const callerOn =
  <S extends SessionRoot>(engine: Engine<S>, authenticated: AuthenticatedRequest<S>, operation: Operation<S>) =>
  (state: S): Caller => {
    const caller = authenticate(engine, state, authenticated);
    engine.domain.checkScope(state, operation, caller);
    return caller;
  };

/** Checks the scope before the body is read, on the cached state. A refusal is confirmed against the storage first. */
export function checkAccess<S extends SessionRoot>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
  operation: Operation<S>,
): Promise<void> | undefined {
  const identify = callerOn(engine, authenticated, operation);
  const known = authenticated.seen ?? engine.sessions.peek(authenticated.sessionId);
  if (known && passes(identify, known)) return undefined;
  return confirmToken(engine, authenticated).then((confirmed) => void identify(confirmed));
}

function passes<S>(identify: (state: S) => Caller, state: S): boolean {
  try {
    identify(state);
    return true;
  } catch (error) {
    if (error instanceof ParleyError) return false;
    throw error;
  }
}
