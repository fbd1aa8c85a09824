import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parseOrNull } from '@parley/core/json';
import { identifyProcess, isStillRunning, type ProcessIdentity } from '@parley/storage-pg';
import { type Json, readAs } from '../../text/read-as.ts';
import { claudeCodeEntry, codexEntry } from '../connect/clients.ts';
import { wrongUsage } from '../exit-codes.ts';

export const DRIVEN = ['claude-code', 'codex'] as const;
export type Driven = (typeof DRIVEN)[number];

interface CallInput {
  readonly prompt: string;
  readonly url: string;
  readonly conversation: string | undefined;
  /** Command-line flags that the user has given for the client. */
  readonly flags: readonly string[];
}

/** The result of a run, read from the output of the client. */
interface CallReport {
  readonly conversation?: string | undefined;
  /** Cost of the run in US dollars, as far as it is known. */
  readonly cost: number;
  /** The client has reported something that is no cost. */
  readonly isCostUnknown?: true;
}

/** Adds up the costs of lines. What is not a finite number of at least 0 is no cost: an agent could lower the sum with it. */
function costOf(lines: readonly Json[]): Pick<CallReport, 'cost' | 'isCostUnknown'> {
  const given = lines.map(({ total_cost_usd: cost }) => cost).filter((cost) => cost !== undefined);
  const costs = given.filter((cost): cost is number => Number.isFinite(cost) && Number(cost) >= 0);
  const cost = costs.reduce((sum, one) => sum + one, 0);
  return { cost, ...(costs.length < given.length ? { isCostUnknown: true } : {}) };
}

/**
 * How a client is run without a person. The command line contains the settings of the MCP server; the variable
 * `PARLEY_TOKEN` contains the token.
 */
export interface Driver {
  readonly command: (input: CallInput) => {
    readonly program: string;
    readonly args: readonly string[];
    readonly isShell?: true;
  };
  /** Reads the result of a run from the JSON lines that the client has printed. */
  readonly report: (lines: readonly Json[]) => CallReport;
}

const mcpUrl = (url: string): string => `${url}/api/public/mcp`;

/** The id of a conversation, which becomes an argument of the client. Undefined for a text that could be a flag. */
const conversationId = (text: string): string | undefined => (/^\w[\w-]{0,199}$/.test(text) ? text : undefined);

const CLAUDE_CODE: Driver = {
  command({ prompt, url, conversation, flags }) {
    const config = { mcpServers: { parley: claudeCodeEntry(mcpUrl(url)) } };
    const resume = conversation === undefined ? [] : ['--resume', conversation];
    const output = ['--output-format', 'stream-json', '--verbose'];
    const server = ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__parley'];
    return { program: 'claude', args: ['-p', prompt, ...resume, ...server, ...output, ...flags] };
  },
  report(lines) {
    const result = lines.findLast(({ type }) => type === 'result') ?? {};
    const conversation = lines.findLast(({ session_id: id }) => typeof id === 'string');
    return {
      conversation: conversation && conversationId(readAs(conversation, { session_id: 'text' }).session_id),
      ...costOf([result]),
    };
  },
};

const CODEX: Driver = {
  command({ prompt, url, conversation, flags }) {
    const server = Object.entries(codexEntry(mcpUrl(url))).flatMap(([name, value]) => [
      '-c',
      `mcp_servers.parley.${name}=${JSON.stringify(value)}`,
    ]);
    const resume = conversation === undefined ? [] : ['resume', conversation];
    return {
      program: 'codex',
      args: ['exec', ...resume, '--json', ...server, ...flags, prompt],
    };
  },
  report(lines) {
    const started = lines.findLast(({ type }) => type === 'thread.started');
    return { conversation: started && conversationId(readAs(started, { thread_id: 'text' }).thread_id), cost: 0 };
  },
};

export const DRIVERS: Readonly<Record<Driven, Driver>> = { 'claude-code': CLAUDE_CODE, codex: CODEX };

/**
 * Runs any command line in a shell. `{prompt}` is replaced by the quoted prompt; the variable `PARLEY_PROMPT` contains
 * the prompt too.
 */
export const shellDriver = (command: string): Driver => ({
  command: () => ({ program: command.replaceAll('{prompt}', '"$PARLEY_PROMPT"'), args: [], isShell: true }),
  report: costOf,
});

/** Milliseconds between two checks whether the client of an ended runner still runs. */
const LOOK_MS = 500;

interface Call {
  readonly driver: Driver;
  readonly input: CallInput;
  readonly folder: string;
  readonly log: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Called when the process of the client has started. `offset` is the length of the file `log` in bytes at that time.
   * If the promise rejects, the client is killed.
   */
  readonly onStarted: (process: ProcessIdentity, offset: number) => Promise<void>;
}

/**
 * Runs the client once, and resolves when the client ends. The client has its own process group and writes its output
 * to the file `log`, so Ctrl-C or the end of this process does not end the client.
 *
 * @throws CliError if the program cannot be started
 */
export async function callClient({ driver, input, folder, log, environment, onStarted }: Call): Promise<void> {
  const { program, args, isShell } = driver.command(input);
  await mkdir(dirname(log), { recursive: true, mode: 0o700 });
  const output = await open(log, 'a', 0o600);
  try {
    const { size } = await output.stat();
    const child = spawn(program, [...args], {
      cwd: folder,
      env: { ...environment, PARLEY_PROMPT: input.prompt },
      stdio: ['ignore', output.fd, output.fd],
      detached: true,
      shell: isShell ?? false,
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await once(child, 'spawn').catch((error: Error) => {
      throw wrongUsage(`${program} cannot be started: ${error.message}. Install it, or add its folder to the PATH.`);
    });
    const { pid = 0 } = child;
    try {
      await onStarted(identifyProcess(pid), size);
    } catch (error) {
      // The process id could not be stored. If the client kept running, the next runner would start a second client
      // beside it.
      process.kill(-pid, 'SIGKILL');
      throw error;
    }
    await ended;
  } finally {
    await output.close();
  }
}

/** Resolves when the client of an earlier runner has ended, or when the signal aborts. */
export async function outlive(call: ProcessIdentity, signal: AbortSignal): Promise<void> {
  while (isStillRunning(call) && !signal.aborted) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
}

/** Parses the lines of the file `log` from a byte offset on. Lines that are not JSON objects are ignored. */
export async function jsonLines(log: string, offset: number): Promise<readonly Json[]> {
  const known = await stat(log).catch(() => undefined);
  if (!known || known.size <= offset) return [];
  const text = (await readFile(log)).subarray(offset).toString('utf8');
  return text
    .split('\n')
    .map((line) => (line.startsWith('{') ? parseOrNull(line) : null))
    .filter(isRecord);
}
