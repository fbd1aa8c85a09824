import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ToolInput } from '@parley/core/client';
import { type Command, InvalidArgumentError } from 'commander';
import { readAs } from '../../text/read-as.ts';
import { jsonText, visibleLine } from '../../text/visible.ts';
import { isPassingRefusal } from '../client/faults.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { CliError, CliOutcome, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type AgentClient, type AgentFlags, connectAgent } from './agent-client.ts';

const LONGEST_POLL_SECONDS = 25;
/**
 * The first pause and the longest pause after a long-poll that returned within a second and did not end the wait. Each
 * further such long-poll in a row doubles the pause.
 */
const AT_ONCE = { firstMs: 50, mostMs: 1_000 };
/** Milliseconds by which the last long-poll may exceed the time limit of the wait. */
const GRACE_MS = 2_000;

/** The state of a session as an agent sees it. */
export type AgentState = Answer<'read_session_state'>;

export interface Waiting {
  readonly isReady: (state: AgentState) => boolean;
  /** Cursor of the last answer that the caller has seen. Work up to this cursor does not end a long-poll. */
  readonly after?: number | undefined;
  readonly limitMs: number;
  /** Milliseconds for which the service may be unreachable. A refusal with 429 is an answer. Default: `limitMs`. */
  readonly awayMs?: number;
  /** Called when a call fails, but not again for the failed calls that directly follow. */
  readonly onAway: (reason: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Waited {
  /** True if `isReady` accepted the state or the session has ended. False if the wait ended for another reason. */
  readonly isReady: boolean;
  /** The latest state. Absent if no call succeeded, or if the service was unreachable for longer than `awayMs`. */
  readonly state?: AgentState;
}

/**
 * Reads the state until `isReady` accepts it, the session has ended, `limitMs` is over, or `signal` aborts. States:
 *
 * - looking: reads the state for the first time, without a long-poll.
 * - polling: makes long-polls of up to 25 seconds.
 * - away: the service is unreachable or refuses temporarily. Calls again after growing pauses, for up to `awayMs`.
 *
 * Any other refusal, for example of an invalid token, rejects with CliError.
 */
export async function waitForState(client: AgentClient, waiting: Waiting): Promise<Waited> {
  const { limitMs, awayMs = limitMs, signal } = waiting;
  const end = performance.now() + limitMs;
  let seen: Waited = { isReady: false };
  let after = waiting.after;
  for (let failures = 0, hasty = 0, heardAt = performance.now(); !signal?.aborted; ) {
    const leftMs = end - performance.now();
    if (leftMs <= 0 && (seen.state || failures > 0)) return seen;
    const startedAt = performance.now();
    try {
      const read = (input: ToolInput<'read_session_state'>) =>
        client.call('read_session_state', input, {
          signal: signalWithin(seen.state ? leftMs : Math.min(leftMs, awayMs), signal),
        });
      const answer = await read(seen.state ? pollInput(leftMs, after) : {});
      // A long-poll with a cursor is answered with the news alone.
      const state = seen.state && after !== undefined && !isEnded(answer) ? await read({}) : answer;
      if (isEnded(state) || waiting.isReady(state)) return { isReady: true, state };
      heardAt = performance.now();
      failures = 0;
      hasty = seen.state && heardAt - startedAt < AT_ONCE.mostMs ? hasty + 1 : 0;
      if (hasty > 0) {
        // The next long-poll gets the cursor of this state, so that it does not return immediately because of the same
        // work.
        after = state.cursor;
        await pause(Math.min(AT_ONCE.firstMs * 2 ** (hasty - 1), AT_ONCE.mostMs), signal);
      }
      seen = { isReady: false, state };
    } catch (error) {
      if (signal?.aborted) return seen;
      const reason = passingReason(error);
      if (reason === undefined) throw error;
      if (failures === 0) waiting.onAway(reason);
      failures += 1;
      if (isLimit(error)) heardAt = performance.now();
      if (performance.now() - heardAt > awayMs) return { isReady: false };
      await pause(Math.min(passingPauseMs(error, failures), Math.max(end - performance.now(), 0)), signal);
    }
  }
  return seen;
}

function signalWithin(leftMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(Math.ceil(Math.min(Math.max(leftMs, 0) + GRACE_MS, LONGEST_POLL_SECONDS * 2_000)));
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

export const isEnded = (state: AgentState): boolean => state.status === 'ENDED';

function pollInput(leftMs: number, after: number | undefined): ToolInput<'read_session_state'> {
  const wait = Math.min(LONGEST_POLL_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000)));
  return { wait, ...(after === undefined ? {} : { after }) };
}

/** Whether the service, or a proxy before it, takes no more calls in this minute. */
export const isLimit = (error: unknown): boolean => error instanceof CliError && error.status === 429;

/** Codes of temporary refusals: the same call can succeed later, or after the owner acts. */
const PASSING = [
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
  'INTERNAL',
  'RATE_LIMITED',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
];

/**
 * The reason of a temporary failure, or undefined for any other failure. An error without a code of Parley comes from a
 * proxy in front of Parley and counts as temporary. An answer of another form or length than Parley's has no status here and
 * ends the wait: the next one would be the same.
 */
function passingReason(error: unknown): string | undefined {
  if (!(error instanceof CliError) || error.exitCode === EXIT.NO_KEY) return undefined;
  const { error: code } = readAs(error.body, { error: 'text' });
  const isPassing = error.exitCode === EXIT.UNREACHABLE || isPassingRefusal(error) || PASSING.includes(code);
  if (!isPassing && (code !== '' || error.status === undefined)) return undefined;
  return error.message.split('\n')[0];
}

/** Waits for `ms` milliseconds. If the signal aborts, resolves earlier and without an error. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);

/** The tools that an instruction names if the agent can only wait. */
const WAITS = ['wait_for_my_turn', 'wait_for_activity'];

/** Whether the instruction of a state names a tool that does more than wait. */
export const hasStep = ({ instruction: { tool } }: AgentState): boolean => tool !== null && !WAITS.includes(tool);

/** The most characters of an instruction: it is an argument of the client that `parley run` starts. */
const MOST_CHARS = 10_000;

const instructionLine = ({ instruction: { tool, text } }: AgentState): string =>
  visibleLine(tool === null ? text : `${tool}: ${text}`).slice(0, MOST_CHARS);

/** A key that changes if the cursor or the instruction of the state changes. */
export const stepKey = (state: AgentState): string => `${state.cursor} ${instructionLine(state)}`;

/** The members of a state that list work for the agent, each with its name in the output. */
const LISTS = [
  ['open_questions', 'open questions of the other agent'],
  ['owner_directives', 'directives of the owner'],
  ['open_interventions', 'open interventions (of the owner or the moderator)'],
  ['pending_actions', 'pending actions'],
] as const;

/**
 * The lines that describe a state to its agent: role, status, phase, round, next call, counts of open records, and
 * cursor.
 */
export function stateLines(state: AgentState): string[] {
  const open = LISTS.map(([member, what]) => [state[member]?.length ?? 0, what] as const).filter(
    ([count]) => count > 0,
  );
  return [
    visibleLine(
      `${state.your_role}: ${state.status} in ${state.phase}, round ${state.round} of ${state.round_limit}`,
    ).slice(0, MOST_CHARS),
    `Next: ${instructionLine(state)}`,
    ...(open.length > 0 ? [`Open: ${open.map(([count, what]) => `${count} ${what}`).join(', ')}`] : []),
    `Cursor: ${state.cursor}`,
  ];
}

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
