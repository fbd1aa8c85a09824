import { once } from 'node:events';
import { createPaint, type Paint, wantsColours } from '../text/style.ts';

/** Everything a command sees of the world around it. */
export interface Terminal {
  /** A line for stdout. */
  out(line: string): void;
  /** Bytes for stdout, as they are; resolves when more may come. */
  write(chunk: Uint8Array): Promise<void>;
  /** A line for stderr. */
  err(line: string): void;
  readonly columns: number;
  /** Whether a person watches stdout. */
  readonly isInteractive: boolean;
  readonly paint: Paint;
  /** How this command is called here, for the hints it gives. */
  readonly program: string;
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
    columns: Math.min(stdout.columns || Number(env.COLUMNS) || 80, MAX_COLUMNS),
    isInteractive: stdout.isTTY === true,
    paint: createPaint(wantsColours(env, stdout.isTTY === true)),
    // npm leaves no parley on the PATH; npx finds the one of the checkout.
    program: env.npm_execpath ? 'npx parley' : 'parley',
    environment: env,
  };
}
