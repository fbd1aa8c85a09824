import { type ErrorCode, InvalidInput, type ParleyError } from '@parley/core';

/** Hints for the owner where the agents' hint would be wrong. */
const OWNER_HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'Sign in at /owner/, or send "Authorization: Bearer pok_..." with the owner key.',
  CROSS_SITE_REFUSED: 'Use the owner pages of this server itself, or send the owner key as a Bearer token.',
  NOT_FOUND: 'POST /owner/api/sessions/{id}/<operation> runs an operation; `parley --help` lists them.',
  INVALID_TRANSITION: 'View the session first: its status does not allow this.',
  MODERATOR_NOT_ENTITLED:
    'Admit moderators: `parley moderator-entitlement on`, the console under People, or POST /owner/api/moderator-entitlement {"entitled": true}.',
  SESSION_ENDED: 'The session is over; it can still be read, exported and deleted.',
  UNKNOWN_RECORD: 'List the sessions, or view the session for the ids in it.',
  ALREADY_ANSWERED: 'Your answer stands; ask or direct the agents to say more.',
  HOLD_CLOSED: 'Nothing is left to release; view the session for the active holds.',
  LIMIT_EXCEEDED: 'Close what is open before adding more, or raise the limit.',
};

/** An error body in the form of the agents' side, with hints for an owner. */
export interface OwnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Converts any thrown value to an answer. The texts of unknown errors are never sent. */
export function answerError(thrown: unknown, toError: (thrown: unknown) => ParleyError): OwnerAnswer {
  const error = toError(thrown);
  const { code, status, retryAfterSeconds } = error;
  const hint = OWNER_HINTS[code];
  const headers = {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="parley owner"' } : {}),
  };
  return { status, headers, body: { ...error.body(), ...(hint ? { hint } : {}), ...issuesTotalOf(error) } };
}

/** Number of faults in an input, if `issues` does not name all of them. */
function issuesTotalOf(error: ParleyError): Readonly<Record<string, unknown>> {
  if (!(error instanceof InvalidInput) || !Array.isArray(error.details.issues)) return {};
  return error.issuesTotal > error.details.issues.length ? { issues_total: error.issuesTotal } : {};
}
