import type { ErrorCode } from '../error-kinds.ts';
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
