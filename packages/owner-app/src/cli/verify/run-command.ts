import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { visible, visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { withoutSecrets } from '../passwords.ts';
import { nextSignal } from '../service/signals.ts';
import { isOwnSecret, secretsOf, type Terminal } from '../terminal.ts';

/** What a run of a command left: how it ended, how long it took, and the end of what it printed. */
export interface Ran {
  /** Null if a signal ended the command. */
  readonly exit_code: number | null;
  readonly signal?: string;
  readonly duration_ms: number;
  readonly output: string;
}

/** Maximum length of the end of the output that evidence contains, in characters. */
const OUTPUT_CHARS = 2_000;
const KEPT_CHARS = 16 * OUTPUT_CHARS;
/** Milliseconds for which the output may go on after the command has ended, because a process that it left has it open. */
const LEFT_OPEN_MS = 2_000;

/** A line of stderr that is longer than this many characters is shown in pieces. */
const LINE_CHARS = 65_536;

/**
 * Runs a command without a shell and shows what it prints. The command has its own process group, which gets the signals that
 * this process gets.
 *
 * @throws CliError USAGE if the command cannot be started; REFUSED if a signal to this process ended the run; what the
 * terminal throws if it cannot show the output
 */
export async function runCommand(terminal: Terminal, folder: string, argv: readonly string[]): Promise<Ran> {
  const [file = '', ...args] = argv;
  const environment = { ...process.env, ...terminal.environment };
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwnSecret(name)));
  const startedAt = performance.now();
  const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = new AbortController();
  let broken: { readonly error: unknown } | undefined;
  const endCommand = (): void => signalGroup(child.pid, 'SIGTERM');
  process.once('exit', endCommand);
  void nextSignal(end.signal).then((name) => {
    broken ??= { error: new CliError(EXIT.REFUSED, `${name} has ended the run. Nothing was sent.`) };
    signalGroup(child.pid, name);
  });
  let kept = '';
  const keep = (text: string): void => {
    // One character more than is kept shows that there was more.
    kept = `${kept}${text}`.slice(-KEPT_CHARS - 1);
  };
  const shown = Promise.all([
    eachText(child.stdout, async (text) => {
      keep(text);
      await terminal.write(new TextEncoder().encode(text));
    }),
    eachLine(child.stderr, keep, (line) => terminal.err(line)),
  ]).catch((error: unknown) => {
    broken ??= { error };
    endCommand();
  });
  const [exit_code, signal] = await once(child, 'exit')
    .catch((error: Error) => {
      throw new CliError(EXIT.USAGE, `${visibleLine(file)} cannot be started: ${visibleLine(error.message)}.`);
    })
    .finally(() => {
      end.abort();
      process.off('exit', endCommand);
    });
  const duration_ms = Math.round(performance.now() - startedAt);
  await Promise.race([shown, sleep(LEFT_OPEN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (broken) throw broken.error;
  return {
    exit_code,
    ...(signal && { signal }),
    duration_ms,
    output: endOf(kept, withoutSecrets(secretsOf(environment))),
  };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** Reads a stream to its end, or until it is destroyed. Throws what `take` throws. */
async function eachText(stream: Readable, take: (text: string) => Promise<void> | void): Promise<void> {
  stream.setEncoding('utf8');
  const texts = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await texts.next().catch((error: unknown) => {
      if (!stream.destroyed) throw error;
    });
    if (!next || next.done) return;
    await take(next.value);
  }
}

async function eachLine(stream: Readable, keep: (text: string) => void, take: (line: string) => void): Promise<void> {
  let rest = '';
  await eachText(stream, (text) => {
    keep(text);
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length <= LINE_CHARS) return;
    const blank = rest.lastIndexOf(' ') + 1 || rest.length;
    take(rest.slice(0, blank));
    rest = rest.slice(blank);
  });
  if (rest !== '') take(rest);
}

/** The last lines of an output, without secrets of the environment, colours and other control sequences. */
function endOf(output: string, masked: (text: string) => string): string {
  const lines = stripVTControlCharacters(lastWords(output, KEPT_CHARS))
    .split('\n')
    .map((line) => visible(line.replace(/\r$/, '').replace(/^.*\r/, '')));
  const text = masked(lines.join('\n').trim());
  if (text.length <= OUTPUT_CHARS) return text;
  const end = lastWords(text, OUTPUT_CHARS);
  return end
    .slice(end.indexOf('\n') + 1)
    .trimStart()
    .toWellFormed();
}

/** The end of a text, from a blank on: half a word could be half a secret, which nothing recognizes. */
function lastWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const blank = end.search(/\s/);
  return blank === -1 ? '' : end.slice(blank);
}
