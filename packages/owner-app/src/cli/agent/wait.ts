import { type Command, InvalidArgumentError } from 'commander';
import { jsonText } from '../../text/visible.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type AgentClient, type AgentFlags, connectAgent } from './agent-client.ts';
import { hasStep, stateLines } from './state-lines.ts';
import { type AgentState, isEnded, type Waited, waitForState } from './wait-for-state.ts';

/** Default of `--timeout`, in seconds: 9 minutes. The shells of known clients end a command after 10 minutes. */
const TIMEOUT_SECONDS = 540;

/** Milliseconds for which `--json` waits for the whole state after a long-poll. */
const WHOLE_MS = 5_000;

interface WaitFlags extends AgentFlags {
  readonly timeout: number;
  readonly after?: number;
  readonly json?: boolean;
}

const MORE = `
Examples:
  parley wait
  parley wait --after 41        wait only for work that is newer than cursor 41, if you cannot do the present work yet

The command reads PARLEY_TOKEN and PARLEY_URL. An agent with a shell runs it instead of calling wait_for_my_turn repeatedly: no
model runs while the command waits. A restart of the service does not end the command. Exit codes: ${EXIT.OK} the agent has something
to do, ${EXIT.ENDED} the session has ended, ${EXIT.NO_KEY} the token is missing or not valid, ${EXIT.TIMED_OUT} nothing to do within the timeout (run the
command again).`;

/** Adds `parley wait`, which uses the token of an agent and no owner key. */
export function addWait(program: Command, terminal: Terminal): void {
  addAgentFlags(
    program
      .command('wait')
      .description('Wait until the agent has something to do. No model runs meanwhile.')
      .option('--timeout <seconds>', 'wait at most this long', parseSeconds, TIMEOUT_SECONDS)
      .option(
        '--after <cursor>',
        'wait only for work that is newer than this cursor; each answer contains a cursor',
        parseCursor,
      ),
  )
    .option('--json', 'print the state as JSON')
    .addHelpText('after', MORE)
    .action((flags: WaitFlags) => wait(terminal, flags));
}

export const addAgentFlags = (command: Command): Command =>
  command
    .option('--url <url>', 'the server (default: PARLEY_URL, else http://127.0.0.1:4100)')
    .option('--token-file <file>', 'read PARLEY_TOKEN and PARLEY_URL from a file that `connect --write` wrote');

async function wait(terminal: Terminal, { timeout, after, json, ...flags }: WaitFlags): Promise<void> {
  const client = await connectAgent(terminal, flags);
  const waited = await waitForState(client, {
    isReady: (state) => hasWork(state, after),
    after,
    limitMs: timeout * 1_000,
    onAway: (reason) => terminal.err(`parley: trying again: ${reason}`),
  });
  if (json) await printJson(terminal, client, waited);
  else print(terminal, waited);
  if (waited.state && isEnded(waited.state)) throw new CliOutcome(EXIT.ENDED);
  if (!waited.isReady) throw new CliOutcome(EXIT.TIMED_OUT);
}

/**
 * Whether a state has a next step for the agent. If `after` is given, the cursor of the state must also be larger than
 * `after`.
 */
const hasWork = (state: AgentState, after: number | undefined): boolean =>
  hasStep(state) && (after === undefined || state.cursor > after);

/** Prints the whole state. The answer to a long-poll has only the ids of what it does not show as news. */
async function printJson(terminal: Terminal, client: AgentClient, { state }: Waited): Promise<void> {
  if (!state) return;
  const isWhole = state.timed_out === undefined;
  const signal = AbortSignal.timeout(WHOLE_MS);
  terminal.out(jsonText(isWhole ? state : await client.call('read_session_state', {}, { signal }).catch(() => state)));
}

function print(terminal: Terminal, { state, isReady }: Waited): void {
  if (!state) terminal.out('The service did not answer. Run parley wait again.');
  else if (isReady) for (const line of stateLines(state)) terminal.out(line);
  else terminal.out('The agent has nothing to do yet. Run parley wait again.');
}

export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of seconds, at least 1.');
}

function parseCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a cursor, which is a whole number.');
}
