import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { packageFile } from '../server/package-file.ts';
import type { Settings } from '../server/settings/settings.ts';
import { programWords } from '../text/joining.ts';
import { createPaint, type Paint, UNLIMITED, wantsColours } from '../text/page.ts';
import { readAs } from '../text/read-as.ts';
import { shellWord, visible, visibleJson } from '../text/visible.ts';
import { type CliError, commandFailed } from './exit-codes.ts';

const file: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
const manifest = readAs(file, { version: 'text', name: 'text' });

export const VERSION = manifest.version;

/** The name under which this program is published: of `packages/cli` in its bundle. */
const PACKAGE_NAME = manifest.name;

/** Minimum length of a secret that is removed from texts. A shorter secret could be an ordinary word. */
const SHORTEST = 4;

/** The user and the password of an address, as they are written. A password may contain every character. */
const WRITTEN = /^[a-z][a-z+]*:\/\/([^:@\s]*):(\S*)@([^@\s]*)$/i;

/**
 * The password of an address: as it is written, percent-decoded, and the parts of one that the address does not quote, which
 * a driver takes for a host, a port or the name of a database. Leaves out what is another part of the address too, or the
 * name of this program, because it is no secret then.
 */
function passwordsIn(address: string | undefined): string[] {
  const [, user = '', written = '', rest = ''] = WRITTEN.exec(address ?? '') ?? [];
  const words = [user, 'parley', ...rest.split(/[:/?]/)];
  return [written, decoded(written), ...written.split(/[/#?:@]/)].filter((part) => !words.includes(part));
}

/** Returns a function that replaces each of the given secrets in a text by `***`, also as a URL or JSON writes them. */
export function withoutSecrets(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What `less` does if LESS is not set: it ends if the text fits on the screen, shows colours, and leaves the text there. */
const LESS = 'FRX';
/** The exit code of a shell that does not find a program. */
const NOT_FOUND = 127;

/** The command of the pager in PAGER, by default `less`. Undefined if nobody could read in a pager, or if PAGER is empty. */
export function pagerOf({ PAGER = 'less', CI, TERM }: Environment, isTerminal: boolean): string | undefined {
  const isOff = !isTerminal || CI || TERM === 'dumb' || process.platform === 'win32';
  return isOff || PAGER.trim() === '' || PAGER === 'cat' ? undefined : PAGER;
}

/** Shows a text in a pager. Resolves when the person has left the pager; with false if the pager is not installed. */
export async function showInPager(pager: string, text: string, environment: Environment): Promise<boolean> {
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...environment },
  });
  // A person may leave the pager before it has read the whole text.
  child.stdin.on('error', () => undefined);
  // Ctrl+C is for the pager. If this program ended, pager and shell would read from the same terminal.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    child.stdin.end(text);
    const [code] = await once(child, 'close');
    return code !== NOT_FOUND;
  } finally {
    process.off('SIGINT', ignore);
  }
}

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
  return commandFailed([`The output could not be written (${reason}).`, next].filter(Boolean).join(' '));
}

/**
 * Writes to stdout if it is a file. Undefined if it is a terminal or a pipe. A stream of Node ends a file without an
 * error if the disk becomes full in the middle of a write.
 *
 * Node 20 keeps the numbers of the last `fstatSync` in a buffer from which it also reads whether a path of a module is a
 * symbolic link: after a pipe, packages behind links are not found. With `bigint` it uses another buffer.
 */
function fileOutput(): ((text: string | Uint8Array) => void) | undefined {
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

const ESCAPE = '\u001b';

/**
 * The only way from a command to the terminal: makes the characters visible that could move the cursor, change colours or
 * the window, or hide or reorder letters, because a server may have put them into its answer. The escape sequences of
 * `paint` pass: until then they begin with a random mark, which no server knows. Bytes are JSON lines, in which these
 * characters are escaped. No error contains a password, a secret or a key of the environment or of an argument. The command
 * reads the key and the token in the environment as a request has them, without blanks around them.
 */
export function guardedTerminal(terminal: Terminal, args: readonly string[] = []): Terminal {
  const { question, secret, pager, status } = terminal;
  const environment = asSent(terminal.environment);
  const mark = `{${crypto.randomUUID()}}`;
  const safe = (text: string): string => visible(text).replaceAll(mark, ESCAPE);
  const withoutKnown = withoutSecrets(secretsOf(environment, args));
  const decoder = new TextDecoder();
  return {
    ...terminal,
    environment,
    paint: (format, text) => terminal.paint(format, visible(text)).replaceAll(ESCAPE, mark),
    out: (line) => terminal.out(safe(line)),
    err: (line) => terminal.err(safe(withoutKnown(line))),
    write: (chunk) => terminal.write(new TextEncoder().encode(visibleJson(decoder.decode(chunk, { stream: true })))),
    ...(question && { question: (text: string) => question(safe(text)) }),
    ...(secret && { secret: (text: string) => secret(safe(text)) }),
    ...(pager && { pager: (text: string) => pager(safe(text)) }),
    ...(status && { status: (line: string) => status(safe(line)) }),
  };
}

/** Variables whose value is sent in a header. */
const SENT = ['PARLEY_OWNER_KEY', 'PARLEY_TOKEN'];

/** Removes the blanks around these values, as `fetch` does around a header: a server sends them back without. */
const asSent = (environment: Terminal['environment']): Terminal['environment'] => ({
  ...environment,
  ...Object.fromEntries(SENT.filter((name) => environment[name]).map((name) => [name, environment[name]?.trim()])),
});

/** Variables whose whole value is secret, and each word of it. */
const SECRET = /^(?:PARLEY|AWS)_.*(?:KEYS?|SECRET|TOKEN)$/;

/** Whether a variable holds a secret of this program, which no program that it starts has a use for. */
export const isOwnSecret = (name: string): boolean => name.startsWith('PARLEY_') && SECRET.test(name);

/** The secrets of an environment, such as the passwords in addresses, and those of the arguments of a command. */
export const secretsOf = (
  environment: Terminal['environment'],
  args: readonly string[] = [],
): (string | undefined)[] => [
  ...Object.entries(environment).flatMap(([name, value = '']) => [
    ...passwordsIn(value),
    ...(SECRET.test(name) ? [value.trim(), ...value.split(/\s+/)] : []),
  ]),
  ...args.flatMap((argument) => passwordsIn(argument.replace(/^--[\w-]+=/, ''))),
];

interface Configured {
  readonly settings: Settings;
  readonly token?: string | undefined;
}

/** Returns a function that removes all secrets of the settings from a text, such as the error message of a driver. */
export function secretsRemover({ settings, token }: Configured): (text: string) => string {
  const { databaseUrl, pgDirectUrl, redisUrl, ownerKey, webhook, retention, oidc, proxySignIn, certificateKeys } =
    settings;
  const store = retention?.to.kind === 's3' ? [retention.to.secretAccessKey, retention.to.sessionToken] : [];
  const urls = [databaseUrl, pgDirectUrl, redisUrl, webhook?.url];
  return withoutSecrets([
    ...urls.flatMap(passwordsIn),
    ...urls,
    ...[ownerKey, token, oidc?.clientSecret, proxySignIn?.secret],
    ...store,
    ...(webhook?.secrets ?? []),
    certificateKeys && Buffer.from(certificateKeys.signs).toString('base64'),
  ]);
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/**
 * Milliseconds within which several signals count as one, because after Ctrl-C both the terminal and npm send a signal.
 */
const SAME_WISH_MS = 1_000;

/**
 * Resolves at the first signal to stop. A signal more than a second later ends the process with exit code 128 plus the
 * number of the signal.
 *
 * @param until after this AbortSignal aborts, SIGTERM, SIGINT and SIGHUP have their usual effect again
 */
export function nextSignal(until?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals, number: number): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_WISH_MS) process.exit(128 + number);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
    until?.addEventListener('abort', () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    });
  });
}

/** The words of the command line that runs this copy of the program from any folder. */
export const ownWords = ({ programPath: [, path = ''] }: Pick<Terminal, 'programPath'>): readonly string[] =>
  programWords(path);

/** The same as one line of a shell. */
export const programLine = (terminal: Pick<Terminal, 'programPath'>): string =>
  ownWords(terminal).map(shellWord).join(' ');
