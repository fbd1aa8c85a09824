import { type Command, InvalidArgumentError } from 'commander';
import { type Members, numberIn } from '../../transcript/message.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type AgentFlags, connectAgent } from './agent-client.ts';
import { hasStep, stateLines } from './state-lines.ts';
import { isEnded, type Waited, waitForState } from './wait-for-state.ts';

/** 9 minutes: the shells of known clients end a command after 10 minutes. */
const TIMEOUT_SECONDS = 540;

interface WaitFlags extends AgentFlags {
  readonly timeout: number;
  readonly after?: number;
  readonly json?: boolean;
}

const MORE = `
Examples:
  parley wait
  parley wait --after 41        for work that you cannot do yet: only what comes after this cursor

It reads PARLEY_TOKEN and PARLEY_URL. An agent with a shell runs it instead of calling wait_for_my_turn again and again: no
model runs while it waits. Restarts of the service do not end it. Exit codes: ${EXIT.OK} something to do, ${EXIT.ENDED} the session has
ended, ${EXIT.NO_KEY} the token is missing or does not hold, ${EXIT.TIMED_OUT} nothing to do within the timeout: run it again.`;

/** `parley wait`: for an agent with a shell. Needs no owner key. */
export function addWait(program: Command, terminal: Terminal): void {
  addAgentFlags(
    program
      .command('wait')
      .description('For an agent: hold until there is something to do, without a model.')
      .option('--timeout <seconds>', 'wait at most this long', parseSeconds, TIMEOUT_SECONDS)
      .option('--after <cursor>', 'the cursor of your last answer: only what comes after it counts', parseCursor),
  )
    .option('--json', 'print the state as JSON')
    .addHelpText('after', MORE)
    .action((flags: WaitFlags) => wait(terminal, flags));
}

/** The flags of commands that act with the token of an agent. */
export const addAgentFlags = (command: Command): Command =>
  command
    .option('--url <url>', 'the server (default: PARLEY_URL, else http://127.0.0.1:4100)')
    .option('--token-file <file>', 'read PARLEY_TOKEN and PARLEY_URL from a file that `connect --write` wrote');

async function wait(terminal: Terminal, { timeout, after, json, ...flags }: WaitFlags): Promise<void> {
  const client = await connectAgent(terminal, flags);
  const waited = await waitForState(client, {
    isReady: createNews(after),
    after,
    limitMs: timeout * 1_000,
    onAway: (reason) => terminal.err(`parley: trying again: ${reason}`),
  });
  print(terminal, waited, json === true);
  if (waited.state && isEnded(waited.state)) throw new CliOutcome(EXIT.ENDED);
  if (!waited.isReady) throw new CliOutcome(EXIT.TIMED_OUT);
}

/** Whether there is something to do: a newer cursor than `after` or, without `after`, a step or a newer cursor. */
function createNews(after: number | undefined): (state: Members) => boolean {
  let base = after;
  return (state) => {
    const cursor = numberIn(state, 'cursor');
    base ??= cursor;
    return cursor > base || (after === undefined && hasStep(state));
  };
}

function print(terminal: Terminal, { state, isReady }: Waited, json: boolean): void {
  if (json) {
    if (state) terminal.out(JSON.stringify(state));
    return;
  }
  if (!state) terminal.out('The service did not answer. Run it again.');
  else if (isReady) for (const line of stateLines(state)) terminal.out(line);
  else terminal.out('Nothing to do yet. Run it again.');
}

export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected whole seconds, at least 1.');
}

function parseCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a cursor, a whole number.');
}
