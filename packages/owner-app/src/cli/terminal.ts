import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { UNLIMITED } from '../text/page.ts';
import { createPaint, type Paint, wantsColours } from '../text/style.ts';
import { pagerOf, showInPager } from './pager.ts';
import { fileOutput } from './standard-output.ts';
import { PACKAGE_NAME } from './version.ts';

/** The input and output of a command. */
export interface Terminal {
  /** Writes a line to stdout. */
  out(line: string): void;
  /** Writes bytes of JSON lines to stdout. Resolves when stdout accepts more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes a line to stderr. */
  err(line: string): void;
  /** Reads stdin to its end. */
  input(): Promise<string>;
  /** Asks the person at the terminal for one line. Absent if stdin or stdout is not a terminal. */
  readonly question?: (text: string) => Promise<string>;
  /** Like `question`, but the terminal does not show what the person types. */
  readonly secret?: (text: string) => Promise<string>;
  /** Overwrites the last line with a line. Absent if stdout is not a terminal. */
  readonly status?: (line: string) => void;
  /** Width of the terminal in columns, or `UNLIMITED` if stdout is a file or a pipe. */
  readonly columns: number;
  /** Height of the terminal in lines. Absent if stdout is a file or a pipe. */
  readonly rows?: number;
  /**
   * Shows a text in the pager of the person. Resolves with false if the pager is not installed. Absent if there is no
   * pager.
   */
  readonly pager?: (text: string) => Promise<boolean>;
  /** Whether stdout is a terminal. */
  readonly isInteractive: boolean;
  readonly paint: Paint;
  /** The command that users type to run this program, such as `npx parley`. Shown in hints. */
  readonly program: string;
  /**
   * The path of Node and the path of the program's file. The settings of an agent's client contain both to start this
   * program.
   */
  readonly programPath: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const toFile = fileOutput();
  const pager = pagerOf(env, stdin.isTTY === true && stdout.isTTY === true);
  return {
    out: (line) => (toFile ? toFile(`${line}\n`) : void stdout.write(`${line}\n`)),
    write: async (chunk) => {
      if (toFile) toFile(chunk);
      else if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    err: (line) => void stderr.write(`${line}\n`),
    input: () => text(process.stdin),
    ...(stdin.isTTY && stdout.isTTY ? { question: askLine, secret: askSecret } : {}),
    ...(stdout.isTTY ? { status: (line: string) => void stdout.write(`\r\u001b[2K${line}`) } : {}),
    columns: stdout.isTTY ? stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS : UNLIMITED,
    ...(stdout.isTTY ? { rows: stdout.rows || Number(env.LINES) || DEFAULT_ROWS } : {}),
    ...(pager === undefined ? {} : { pager: (text: string) => showInPager(pager, text, env) }),
    isInteractive: stdout.isTTY === true,
    paint: createPaint(wantsColours(env, stdout.isTTY === true)),
    program: programOf(env, process.argv[1]),
    programPath: [process.execPath, ...process.argv.slice(1, 2)],
    environment: env,
  };
}

/**
 * If npm runs this program, `parley` may not be on the PATH, but `npx` finds it: by the name of the package if npx has fetched it
 * into its cache, in a folder `_npx`.
 */
function programOf({ npm_execpath: npm }: NodeJS.ProcessEnv, file = ''): string {
  if (!npm) return 'parley';
  return /[\\/]_npx[\\/]/.test(file) ? `npx -y ${PACKAGE_NAME}` : 'npx parley';
}

async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Asks for one line that is not shown. Only the question is written; readline writes to a stream that drops everything. */
async function askSecret(question: string): Promise<string> {
  const { stdin, stdout } = process;
  const { Writable } = await import('node:stream');
  stdout.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const stopped = once(lines, 'close').then(() => '');
  try {
    return await Promise.race([lines.question(''), stopped]);
  } finally {
    lines.close();
    stdout.write('\n');
  }
}
