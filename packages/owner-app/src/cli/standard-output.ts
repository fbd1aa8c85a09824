import { fstatSync, writeSync } from 'node:fs';
import { CliError, EXIT } from './exit-codes.ts';

/** Commands whose output contains what the service shows only once, each with what to do if that output is lost. */
const SHOWN_ONCE: readonly (readonly [command: RegExp, next: string])[] = [
  [
    /^invite\b/,
    'The code in it is lost. To get another code, run parley invite again: the lost code then no longer works.',
  ],
  [/^people add\b/, 'The key in it is lost. Run parley people revoke for this person, then parley people add again.'],
  [
    /^connect\b(?!.* --write\b)/,
    'The token in it is lost. Ask the owner for another invitation code, and run parley connect again.',
  ],
];

/**
 * Thrown if stdout cannot be written.
 *
 * @param args the command line
 */
export function outputFault(error: unknown, args: readonly string[]): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  const [, next] = SHOWN_ONCE.find(([command]) => command.test(args.join(' '))) ?? [];
  return new CliError(EXIT.REFUSED, [`The output could not be written (${reason}).`, next].filter(Boolean).join(' '));
}

/**
 * Writes to stdout if it is a file. Undefined if it is a terminal or a pipe. A stream of Node ends a file without an
 * error if the disk becomes full in the middle of a write.
 *
 * Node 20 keeps the numbers of the last `fstatSync` in a buffer from which it also reads whether a path of a module is a
 * symbolic link: after a pipe, packages behind links are not found. With `bigint` it uses another buffer.
 */
export function fileOutput(): ((text: string | Uint8Array) => void) | undefined {
  const { fd } = process.stdout;
  const kind = fstatSync(fd, { bigint: true });
  if (process.stdout.isTTY || !(kind.isFile() || kind.isCharacterDevice())) return undefined;
  return (text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
    } catch (error) {
      throw outputFault(error, process.argv.slice(2));
    }
  };
}
