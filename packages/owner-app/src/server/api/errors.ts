import { type ErrorCode, errorHeaders, InvalidInput, type ParleyError } from '@parley/core';

/**
 * The hints in error answers to the owner, by error code. They replace the hints of core, which are written for agents.
 */
const OWNER_HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'Sign in at /owner/, or send "Authorization: Bearer pok_..." with the owner key.',
  CROSS_SITE_REFUSED: 'Use the console of this server at /owner/, or send the owner key as a Bearer token.',
  NOT_FOUND: 'POST /owner/api/sessions/{id}/<operation> runs an operation; `parley --help` lists the operations.',
  INVALID_TRANSITION:
    'Run `parley view SESSION`, which shows the status and the phase. They decide which operations are possible.',
  MODERATOR_NOT_ENTITLED:
    'Allow moderators first: run `parley moderator-entitlement on`, or POST {"entitled": true} to /owner/api/moderator-entitlement.',
  SESSION_ENDED: 'The session can still be read, exported and deleted. To continue the work, create another session.',
  UNKNOWN_RECORD:
    'Run `parley sessions` for the ids of your sessions, `parley view SESSION` for the ids of its records, or `parley people list` for the ids of people.',
  ALREADY_ANSWERED: 'Your first answer is final. To add something, ask the agents a question or give them a directive.',
  HOLD_ACTIVE: 'Release each hold in hold_ids, or wait until the moderator releases it or its finding is resolved.',
  HOLD_CLOSED: 'The hold was already released. `parley view SESSION` lists the active holds.',
};

export interface OwnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Converts any thrown value to an error answer. The answer has the owner's hint for the error code, unless the error
 * has its own hint.
 */
export function answerError(thrown: unknown, toError: (thrown: unknown) => ParleyError): OwnerAnswer {
  const error = toError(thrown);
  const { code, status } = error;
  const hint = error.details.hint === undefined ? OWNER_HINTS[code] : undefined;
  const headers = {
    ...errorHeaders(error),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="parley owner"' } : {}),
  };
  return { status, headers, body: { ...error.body(), ...(hint ? { hint } : {}), ...issuesTotalOf(error) } };
}

/** Returns `issues_total`, the number of all faults in the input, if `issues` contains only some of them. */
function issuesTotalOf(error: ParleyError): Readonly<Record<string, unknown>> {
  if (!(error instanceof InvalidInput) || !Array.isArray(error.details.issues)) return {};
  return error.issuesTotal > error.details.issues.length ? { issues_total: error.issuesTotal } : {};
}
