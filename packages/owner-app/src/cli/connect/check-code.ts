import { CliError, EXIT } from '../exit-codes.ts';

export function checkCode(code: string): void {
  if (/^pinv_\w+$/.test(code)) return;
  const what = code.startsWith('prt_')
    ? 'The argument is a token, not an invitation code'
    : 'The argument is not an invitation code';
  throw new CliError(
    EXIT.USAGE,
    `${what}. Invitation codes start with pinv_. The owner creates a code with: parley invite`,
  );
}
