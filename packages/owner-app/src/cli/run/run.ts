import type { OwnerListing } from '@parley/core';
import { sha256Hex } from '@parley/core/hash';
import type { FolderLock } from '@parley/storage-pg';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { textWidth } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Seat, takeSeat } from '../agent/seat.ts';
import { agentServer } from '../client/request.ts';
import { ASKED, givenCode } from '../connect/given-code.ts';
import { CliOutcome, EXIT, wrongUsage } from '../exit-codes.ts';
import { nextSignal, type Terminal } from '../terminal.ts';
import { demoRun } from './demo-run.ts';
import { DRIVEN, DRIVERS, type Driven, type Driver, shellDriver } from './drivers.ts';
import { type Limits, type RunFiles, runFiles, runLoop, startProgress } from './run-loop.ts';

interface RunFlags {
  readonly for?: Driven;
  readonly command?: string;
  readonly folder: string;
  readonly url?: string;
  readonly code?: string | true;
  readonly clientFlag: readonly string[];
  readonly maxRuns: number;
  readonly maxMinutes: number;
  readonly maxCost: number;
  readonly pause: number;
  readonly demo?: boolean;
}

const MORE = `
Examples:
  parley run --demo                                           see it work, with two scripted agents
  parley run --for claude-code --folder ../shop               asks for the code, or continues the last run
  parley run - --for claude-code --folder ../shop             asks for a code, also after an earlier run
  parley run --command 'my-agent --ask {prompt}' --folder ../bank < code.txt
  parley run --code --folder ../shop                          asks for a code, and gives the waiting run a new token

The command waits without a model, and starts the client once for each step: claude -p with --resume, codex exec resume, or your own
program, in a shell, with the prompt as one word and PARLEY_TOKEN and PARLEY_URL in its environment. The output of the client is
written to a log file. The client does not ask whether you trust the repository: it reads instructions, settings, hooks and MCP servers
from it (CLAUDE.md, .claude, .mcp.json; AGENTS.md, .codex), and hooks and servers are programs. Look at these first. Ctrl-C ends the
command after the present run of the client. Exit codes: ${EXIT.OK} the session has ended or you stopped the command, ${EXIT.TIMED_OUT} a limit is
reached, ${EXIT.STUCK} three runs of the client in a row changed nothing.`;

/**
 * Adds `parley run`, which runs an agent without a person: it starts a client for each step, from the invitation to the
 * end of the session.
 */
export function addRun(program: Command, terminal: Terminal, listings: readonly OwnerListing[]): void {
  program
    .command('run')
    .description("Run an agent without a person: wait without a model, and start the agent's client for each step.")
    .argument(
      '[code]',
      `the one-time code from the owner, pinv_..., or - for another code than that of the earlier run; ${ASKED}, unless there was an earlier run`,
    )
    .addOption(new Option('--for <client>', 'the client to start').choices(DRIVEN))
    .option('--command <text>', 'run this shell command instead of a known client; {prompt} is replaced by the prompt')
    .option('--folder <folder>', "the agent's repository", '.')
    .option('--url <url>', 'the server (default: PARLEY_URL, else http://127.0.0.1:4100)')
    .option(
      '--code [code]',
      `exchange a code for a new token, store the token for the run of this folder, and exit; ${ASKED}`,
    )
    .option('--client-flag <text>', 'a further flag of the client, such as --model=...; may be repeated', addText, [])
    .option('--max-runs <number>', 'stop after this many runs of the client', parseLimit, 1_000)
    .option('--max-minutes <number>', 'stop after this many minutes', parseLimit, 10_080)
    .option('--max-cost <dollars>', 'stop when the client has reported this cost in dollars', parseLimit, 1_000_000)
    .option('--demo', 'run two scripted agents through a whole mission, without a model and without a server')
    .option(
      '--pause <seconds>',
      'wait this long before the next run after two runs in a row that changed nothing; each further pause is twice as long',
      parseLimit,
      60,
    )
    .addHelpText('after', MORE)
    .action(async (code: string | undefined, flags: RunFlags) => {
      if (!flags.demo) return run(terminal, code, flags);
      if (code !== undefined || flags.for !== undefined || flags.command !== undefined)
        throw wrongUsage('--demo cannot be combined with a code, --for or --command. No invitation code was used.');
      await demoRun(terminal, listings);
    });
}

async function run(terminal: Terminal, code: string | undefined, flags: RunFlags): Promise<void> {
  const files = await runFiles(terminal, flags.folder);
  if (flags.code !== undefined) {
    const code = await givenCode(terminal, flags.code === true ? undefined : flags.code);
    await redeemInto(terminal, files, { code, flags });
    terminal.out('The new token is stored. A run that waits for a new token in this folder continues.');
    return;
  }
  const driver = driverOf(flags);
  const lock = await files.lock();
  try {
    await runLocked(terminal, { code, flags, files, driver, lock });
  } finally {
    await lock.release();
  }
}

interface Locked {
  readonly code: string | undefined;
  readonly flags: RunFlags;
  readonly files: RunFiles;
  readonly driver: Driver;
  readonly lock: FolderLock;
}

async function runLocked(terminal: Terminal, { code, flags, files, driver, lock }: Locked): Promise<void> {
  const seat = await seatOf(terminal, { code, flags, files });
  const progress = await startProgress(files, seat);
  terminal.out(`${seat.role} of session ${seat.session_id}; output in ${files.log}`);
  const stop = new AbortController();
  const end = new AbortController();
  void Promise.race([nextSignal(end.signal), lock.lost]).then(() => stop.abort());
  const exit = await runLoop(
    {
      ...{ terminal, files, driver, flags: flags.clientFlag, limits: limitsOf(flags), signal: stop.signal },
      say: createStatus(terminal, seat.role),
    },
    progress,
  ).finally(() => end.abort());
  if (exit !== EXIT.OK) throw new CliOutcome(exit);
}

/** The seat of the earlier run in this folder, or a new seat for another code. */
async function seatOf(
  terminal: Terminal,
  { code: given, flags, files }: Omit<Locked, 'driver' | 'lock'>,
): Promise<Seat> {
  const known = await files.seat.read();
  if (known && given === undefined) return known;
  const code = await givenCode(terminal, given);
  return known?.code_sha256 === sha256Hex(code) ? known : redeemInto(terminal, files, { code, flags });
}

function driverOf({ for: client, command }: RunFlags): Driver {
  if ((client === undefined) === (command === undefined))
    throw wrongUsage('Give the client to start with either --for or --command. No invitation code was used.');
  return command !== undefined ? shellDriver(command) : DRIVERS[client ?? 'codex'];
}

interface Redeeming {
  readonly code: string;
  readonly flags: RunFlags;
}

async function redeemInto(terminal: Terminal, files: RunFiles, { code, flags }: Redeeming): Promise<Seat> {
  const url = agentServer(flags.url ?? (await files.seat.read())?.url, terminal);
  return takeSeat(files.seat, { code, clientType: flags.for ?? 'parley-run', url });
}

const limitsOf = ({ maxRuns, maxMinutes, maxCost, pause }: RunFlags): Limits => ({
  runs: maxRuns,
  minutes: maxMinutes,
  cost: maxCost,
  pauseMs: pause * 1_000,
});

/**
 * Creates a function that prints the status. On a terminal, each status overwrites the line of the previous status. A
 * status that is wider than the terminal is not overwritten.
 */
function createStatus({ out, status, columns }: Terminal, role: string): (text: string) => void {
  let shown = '';
  return (text) => {
    const line = visibleLine(`${role}: ${text}`);
    if (line === shown) return;
    shown = line;
    if (status) status(textWidth(line) < columns ? line : `${line}\n`);
    else out(line);
  };
}

const addText = (text: string, previous: readonly string[]): readonly string[] => [...previous, text];

function parseLimit(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}(\.\d{1,4})?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected a number above 0, such as 30 or 2.5.');
}
