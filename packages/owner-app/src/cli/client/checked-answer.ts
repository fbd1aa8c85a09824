import { type After, wrongMember } from '@parley/core/client';
import { CliError, EXIT } from '../exit-codes.ts';

/**
 * Refuses an answer that has not the form of the answers to this call. Everything that a command prints or sends on of an answer
 * has passed this check, so the printers need none.
 *
 * @throws CliError with the exit code REFUSED
 */
export function checkedAnswer<A>(url: string, call: string, answer: A): A {
  refuseWrong(url, call, wrongMember(call, answer));
  return answer;
}

/** Refuses an answer with `after`, if `after` is not what the service sends. */
export function checkedAfter<A extends { readonly after?: After }>(url: string, answer: A): A {
  const { after } = answer;
  if (after === undefined) return answer;
  if (typeof after?.said !== 'string') refuseWrong(url, 'a write', 'after.said');
  checkedAnswer(url, 'view', after.view);
  return answer;
}

function refuseWrong(url: string, call: string, place: string | undefined): void {
  if (place === undefined) return;
  const member = place === '' ? 'it' : `its member ${place}`;
  throw new CliError(
    EXIT.REFUSED,
    `The answer to ${call} is not as expected: ${member} is missing or has another form. The server at ${url} may have another version, or it is not a Parley server. Check PARLEY_URL.`,
  );
}
