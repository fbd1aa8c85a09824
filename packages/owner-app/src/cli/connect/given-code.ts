import { INVITATION_CODE } from '../../text/joining.ts';
import { wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** How the help describes a code that is left out. */
export const ASKED = 'leave it out: the command asks for it, or reads it from stdin';

/** The argument that stands for standard input. */
const STDIN = '-';

/**
 * Returns an invitation code: at a terminal the command asks for it, and the terminal does not show it; otherwise stdin
 * contains it. A code on the command line works too.
 *
 * @throws CliError if the text is not an invitation code
 */
export async function givenCode(terminal: Terminal, given: string | undefined): Promise<string> {
  if (given === undefined || given === STDIN) {
    const { secret } = terminal;
    const typed = secret ? await secret('Invitation code (not shown): ') : await terminal.input();
    return checkedCode(typed.trim());
  }
  const code = checkedCode(given);
  warnOfArgument(
    terminal,
    'the invitation code',
    'Next time, leave the code out: the command asks for it, or reads it from stdin.',
  );
  return code;
}

/** Says that a secret on the command line is no secret. */
export const warnOfArgument = ({ err }: Pick<Terminal, 'err'>, what: string, instead: string): void =>
  err(`parley: warning: other users of this machine can read ${what} in the list of processes. ${instead}`);

/** @throws CliError if the text is not an invitation code */
export function checkedCode(code: string): string {
  if (INVITATION_CODE.test(code)) return code;
  const what = code.startsWith('prt_')
    ? 'This is a token, not an invitation code'
    : code === ''
      ? 'No invitation code was given'
      : 'This is not an invitation code';
  throw wrongUsage(`${what}. Invitation codes start with pinv_. The owner creates a code with: parley invite`);
}
