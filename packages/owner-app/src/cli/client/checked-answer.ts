import { wrongMember } from '@parley/core/client';
import { CliError, EXIT } from '../exit-codes.ts';

/**
 * Refuses an answer that has not the form of the answers to this call. Everything that a command prints or sends on of an answer
 * has passed this check, so the printers need none.
 *
 * @throws CliError with the exit code REFUSED
 */
export function checkedAnswer<A>(url: string, call: string, answer: A): A {
  const place = wrongMember(call, answer);
  if (place === undefined) return answer;
  const member = place === '' ? 'it' : `its member ${place}`;
  throw new CliError(
    EXIT.REFUSED,
    `The answer to ${call} is not as expected: ${member} is missing or has another form. The server at ${url} may have another version, or it is not a Parley server. Check PARLEY_URL.`,
  );
}
