import { type ErrorCode, InvalidInput, type ParleyError } from '@parley/core';

/** Hints for the owner, in place of hints that are for agents only. */
const OWNER_HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'Sign in at /owner/, or send "Authorization: Bearer pok_..." with the owner key.',
  CROSS_SITE_REFUSED: 'Use the owner pages of this server itself, or send the owner key as a Bearer token.',
  NOT_FOUND: 'POST /owner/api/sessions/{id}/<operation> runs an operation; `parley --help` lists them.',
  INVALID_TRANSITION: 'View the session: its status and phase decide which operations are possible.',
  MODERATOR_NOT_ENTITLED:
    'Admit moderators: `parley moderator-entitlement on`, the console under People, or POST /owner/api/moderator-entitlement {"entitled": true}.',
  SESSION_ENDED: 'The session has ended; it can still be read, exported and deleted.',
  UNKNOWN_RECORD: 'List your sessions, or view the session: both show the ids that exist.',
  ALREADY_ANSWERED: 'Your first answer is final; to add to it, ask or direct the agents.',
  HOLD_ACTIVE: 'Release each hold in hold_ids, or wait until the moderator releases it or its finding is resolved.',
  HOLD_CLOSED: 'The hold is released already; the view of the session lists the active holds.',
  LIMIT_EXCEEDED: 'Close or settle an open record of this kind before you add another, or raise the limit.',
};

/** An error as it is sent to the owner: in the same form as for agents, with hints for the owner. */
export interface OwnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Converts any thrown value to an answer. The message of an unknown error is never sent. */
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

/** The member `issues_total`: the number of faults in the input. It is added only if `issues` does not contain all of them. */
function issuesTotalOf(error: ParleyError): Readonly<Record<string, unknown>> {
  if (!(error instanceof InvalidInput) || !Array.isArray(error.details.issues)) return {};
  return error.issuesTotal > error.details.issues.length ? { issues_total: error.issuesTotal } : {};
}
