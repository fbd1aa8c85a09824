import { membersOf } from '../../transcript/message.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Json } from './request.ts';
import { AGENT_ROLES, INVITATION_CODE, SESSION_ID } from './seat.ts';

const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);

/**
 * Refuses an answer with a session id that is none: ids of sessions become parts of addresses and of printed commands.
 *
 * @throws CliError with the exit code REFUSED
 */
export function checkedIds(url: string, answer: Json): Json {
  for (const record of [answer, ...Object.values(answer).flat()]) {
    const { session_id: id } = membersOf(record);
    // An event of the audit that is in no session has null.
    if (id !== undefined && id !== null && !isText(id, SESSION_ID)) throw noId(url);
  }
  return answer;
}

/** Refuses an answer without the id of the session that was created. Throws like `checkedIds`. */
export function checkedSession(url: string, answer: Json): Json {
  if (!isText(answer.session_id, SESSION_ID)) throw noId(url);
  return answer;
}

/** Refuses an answer without a code and a role: both are printed as a text to paste. Throws like `checkedIds`. */
export function checkedInvitation(url: string, answer: Json): Json {
  if (isText(answer.code, INVITATION_CODE) && AGENT_ROLES.some((role) => role === answer.role)) return answer;
  throw new CliError(
    EXIT.REFUSED,
    `The server at ${url} is not a Parley server: its answer contains no invitation. Check PARLEY_URL.`,
  );
}

const noId = (url: string): CliError =>
  new CliError(EXIT.REFUSED, `An id in the answer of ${url} is not an id of Parley. Check PARLEY_URL.`);
