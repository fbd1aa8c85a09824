import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createPaint, type Paint, wantsColours } from '../text/style.ts';

/** The input and output of a command. */
export interface Terminal {
  /** Writes a line to stdout. */
  out(line: string): void;
  /** Writes bytes to stdout. Resolves when stdout accepts more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes a line to stderr. */
  err(line: string): void;
  /** Reads stdin to its end. */
  input(): Promise<string>;
  readonly columns: number;
  /** Whether stdout is a terminal. */
  readonly isInteractive: boolean;
  readonly paint: Paint;
  /** The command with which a user runs this program. Used in hints. */
  readonly program: string;
  /** Path of this program and its first arguments. Written to settings from which other programs run it. */
  readonly programPath: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const MAX_COLUMNS = 110;

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    out: (line) => void stdout.write(`${line}\n`),
    write: async (chunk) => {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    err: (line) => void stderr.write(`${line}\n`),
    input: () => text(process.stdin),
    columns: Math.min(stdout.columns || Number(env.COLUMNS) || 80, MAX_COLUMNS),
    isInteractive: stdout.isTTY === true,
    paint: createPaint(wantsColours(env, stdout.isTTY === true)),
    // If npm runs this program, parley is not on the PATH, but npx finds it in the checkout.
    program: env.npm_execpath ? 'npx parley' : 'parley',
    programPath: [process.execPath, ...process.argv.slice(1, 2)],
    environment: env,
  };
}
