import { CredentialsMissing, type ErrorCode, ParleyError } from '../errors.ts';
import { OutcomeUnknown, StorageFull, StorageUnavailable } from '../storage/storage.ts';
import { type RandomBytes, randomText } from '../token/token.ts';
import type { Answer } from './host-port.ts';
import type { Operation } from './operation.ts';

const OF_THE_SERVICE = ['INTERNAL', 'SHUTTING_DOWN', 'STORAGE_UNAVAILABLE'] as const;
const OF_A_TOKEN = [
  'UNAUTHORIZED',
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
  'WRONG_SESSION',
  'RATE_LIMITED',
  'LOG_BROKEN',
] as const;
const OF_A_BODY = ['INVALID_JSON', 'UNSUPPORTED_ENCODING', 'BODY_TOO_LARGE'] as const;

/**
 * Every error code with which an HTTP request for an operation can be refused: the operation's own codes, and the codes
 * of earlier checks. Leaves out BUILDER_FORBIDDEN and MODERATOR_FORBIDDEN, which an agent gets for a route of the other
 * kind of agent.
 */
export function refusalsOf<S>(operation: Operation<S>, method: string): readonly ErrorCode[] {
  const { access, secretIn, decide, errors } = operation;
  if (access.anyone && !secretIn) return OF_THE_SERVICE;
  if (access.owner) return refusalsOfOwner(method, errorsOfOwner({ errors }));
  const checks = access.anyone ? GUEST_CHECKS : agentChecks(operation);
  return distinct([...checks, ...checksOf(method, decide !== undefined), ...errors]);
}

/** The error codes of an operation of the owner: its own, and those of reading the session. */
export const errorsOfOwner = ({ errors }: { readonly errors: readonly ErrorCode[] }): readonly ErrorCode[] => [
  'UNKNOWN_RECORD',
  'LOG_BROKEN',
  ...errors,
];

/** Every error code that a request of the owner can get. */
export const refusalsOfOwner = (method: string, errors: readonly ErrorCode[]): readonly ErrorCode[] =>
  distinct([
    'UNAUTHORIZED',
    'RATE_LIMITED',
    ...(method === 'GET' ? [] : (['CROSS_SITE_REFUSED', 'ROLE_FORBIDDEN', 'LIMIT_EXCEEDED'] as const)),
    ...checksOf(method, method !== 'GET'),
    ...errors,
  ]);

const checksOf = (method: string, isWrite: boolean): readonly ErrorCode[] => [
  ...(method === 'POST' ? OF_A_BODY : []),
  'INVALID_INPUT',
  ...(isWrite ? (['CONFLICT'] as const) : []),
  ...OF_THE_SERVICE,
];

const distinct = (codes: readonly ErrorCode[]): readonly ErrorCode[] => [...new Set(codes)];

/**
 * Error codes of calls without a token. CREDENTIAL_REJECTED is among them, because a client that redeems an invitation may send its
 * name, which is searched for credentials.
 */
const GUEST_CHECKS: readonly ErrorCode[] = [
  'CROSS_SITE_REFUSED',
  'RATE_LIMITED',
  'CREDENTIAL_REJECTED',
  'LIMIT_EXCEEDED',
];

const agentChecks = <S>({ access, decide, ...operation }: Operation<S>): readonly ErrorCode[] => [
  ...OF_A_TOKEN,
  ...(access.builder ? (['INSUFFICIENT_SCOPE'] as const) : []),
  ...(typeof access.moderator === 'string' ? (['PERMISSION_DENIED'] as const) : []),
  ...(decide ? writeChecks(operation) : []),
];

function writeChecks<S>(
  operation: Pick<Operation<S>, 'worksWhilePaused' | 'worksAfterEnd' | 'phases' | 'findIdempotencyRecord'>,
): readonly ErrorCode[] {
  return [
    ...(operation.worksAfterEnd ? [] : (['SESSION_ENDED'] as const)),
    ...(operation.worksWhilePaused === true ? [] : (['SESSION_NOT_ACTIVE'] as const)),
    ...(operation.phases ? (['WRONG_PHASE'] as const) : []),
    ...(operation.findIdempotencyRecord ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    'CREDENTIAL_REJECTED',
    'LIMIT_EXCEEDED',
  ];
}

/** Called for every failure of the service or its storage, with the original error. */
export type FailureListener = (cause: unknown, traceId: string) => void;

/** Returns a function that converts any thrown value to a ParleyError. The texts of unknown errors are never sent. */
export function createErrorTranslator(
  random: RandomBytes,
  onFailure: FailureListener,
): (thrown: unknown) => ParleyError {
  return (thrown) => {
    if (thrown instanceof ParleyError && !isUnreportedFault(thrown)) return thrown;
    const trace_id = randomText(random, 12);
    onFailure(thrown, trace_id);
    if (thrown instanceof ParleyError)
      return new ParleyError(thrown.code, thrown.message, { ...thrown.details, trace_id }, { cause: thrown });
    if (thrown instanceof StorageUnavailable || thrown instanceof OutcomeUnknown) {
      const isFull = thrown instanceof StorageFull;
      const message = isFull
        ? 'The storage is full: nothing can be written.'
        : 'The storage cannot be reached at present.';
      return new ParleyError('STORAGE_UNAVAILABLE', message, {
        retry_after_seconds: 2,
        trace_id,
      });
    }
    return new ParleyError('INTERNAL', 'The service failed on this request.', { trace_id });
  };
}

const FAULTS: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE', 'LOG_BROKEN']);

/** Whether an error is a failure of the service that was not reported yet. A reported error has a `trace_id`. */
const isUnreportedFault = ({ code, details }: ParleyError): boolean =>
  FAULTS.has(code) && details.trace_id === undefined;

/** The HTTP headers that belong to an error, over REST and over MCP. */
export function errorHeaders(error: ParleyError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers['WWW-Authenticate'] = challengeOf(error);
  if (error.code === 'UNSUPPORTED_ENCODING') headers['Accept-Encoding'] = 'identity';
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (Array.isArray(error.details.allow)) headers.Allow = error.details.allow.join(', ');
  return headers;
}

const challengeOf = (error: ParleyError): string =>
  error instanceof CredentialsMissing ? 'Bearer realm="parley"' : 'Bearer realm="parley", error="invalid_token"';

export const errorAnswer = (error: ParleyError): Answer => ({
  status: error.status,
  body: JSON.stringify(error.body()),
  headers: errorHeaders(error),
});
