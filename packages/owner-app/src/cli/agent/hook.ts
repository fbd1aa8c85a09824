import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parseOrNull } from '@parley/core/json';
import type { Command } from 'commander';
import { z } from 'zod';
import { AGENT_ROLES, SESSION_ID } from '../../text/joining.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { jsonText, visible, visibleLine } from '../../text/visible.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { settingsFolder } from '../connect/redeem.ts';
import { CliError, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type AgentClient, type AgentFlags, connectAgent } from './agent-client.ts';
import { type MemoryFile, memoryFile, seatIn } from './seat.ts';
import {
  type AgentState,
  addAgentFlags,
  hasStep,
  isEnded,
  isLimit,
  parseSeconds,
  stateLines,
  stepKey,
  type Waiting,
  waitForState,
} from './wait.ts';

/** Default of `--timeout`, in seconds: one minute less than the 24 hours after which Claude Code ends the hook Stop. */
const TIMEOUT_SECONDS = 86_340;
/** Default of `--away`: if the service does not answer for this many seconds, the hook Stop lets the client stop. */
const AWAY_SECONDS = 120;
/**
 * Maximum number of times in a row that the hook Stop returns the same step. After that, the hook waits until the step
 * changes.
 */
const MOST_REPEATS = 3;

interface HookFlags extends AgentFlags {
  readonly timeout: number;
  readonly away: number;
}

/**
 * The same for a token that is stored for the folder. It stays there after its session, and work without Parley in that folder must
 * not wait for a service that is gone.
 */
const STORED_AWAY_SECONDS = 10;

const MORE = `
Examples:
  echo '{"hook_event_name":"Stop"}' | parley hook
  parley connect --for claude-code --write --hooks      adds it to .claude/settings.local.json

At the hook Stop, the command waits, while no model runs, until the agent has a next step. It passes the step to the client, which
then continues. At the hook SessionStart, it prints the task and the state, so that a restarted or compacted conversation contains
them. Without PARLEY_TOKEN, it uses the token that \`parley mcp\` or \`parley run\` has stored for this folder, and does nothing if there is none. After an error the client can stop: the exit code is ${EXIT.OK}, and stderr contains the reason.`;

export function addHook(program: Command, terminal: Terminal): void {
  addAgentFlags(
    program
      .command('hook')
      .description(
        'Run as a hook of Claude Code: print the task when the agent starts, and wait for the next step when the agent stops.',
      )
      .option(
        '--timeout <seconds>',
        'hook Stop: wait at most this long, then let the agent stop',
        parseSeconds,
        TIMEOUT_SECONDS,
      )
      .option(
        '--away <seconds>',
        'hook Stop: let the agent stop if the service does not answer for this long',
        parseSeconds,
        AWAY_SECONDS,
      ),
  )
    .addHelpText('after', MORE)
    .action(async (flags: HookFlags) => {
      const { environment } = terminal;
      const isStored = !environment.PARLEY_TOKEN && flags.tokenFile === undefined;
      if (isStored && !(await seatIn(environment, '.'))) return;
      const away = isStored ? Math.min(flags.away, STORED_AWAY_SECONDS) : flags.away;
      const answer = await answerHook(terminal, { ...flags, away }).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        terminal.err(`parley: ${visible(reason)}`);
        return !isStored && error instanceof CliError && error.exitCode === EXIT.NO_KEY ? notice(reason) : undefined;
      });
      if (answer) terminal.out(jsonText(answer));
    });
}

/** An answer that makes the client show a message to its user. */
const notice = (text: string): Json => ({ systemMessage: `Parley: ${visible(text)}` });

async function answerHook(terminal: Terminal, flags: HookFlags): Promise<Json | undefined> {
  const event = eventOf(await terminal.input());
  const client = await connectAgent(terminal, flags);
  if (event === 'SessionStart') return startContext(client);
  if (event === 'Stop') return stopDecision(terminal, client, flags);
  throw wrongUsage(`parley hook handles the hooks Stop and SessionStart, not ${JSON.stringify(event)}.`);
}

function eventOf(input: string): string {
  const value = parseOrNull(input);
  if (isRecord(value)) return readAs(value, { hook_event_name: 'text' }).hook_event_name;
  throw wrongUsage(
    'stdin must contain the JSON that Claude Code passes to a hook, such as {"hook_event_name":"Stop"}.',
  );
}

/** Milliseconds of the pauses and calls of the hook SessionStart. `mergeHooks` gives it 30 seconds. */
const START_MS = 25_000;

/** Makes a call, and makes it again while the service takes no more calls in this minute and the hook has time for it. */
async function inTime<T>(call: () => Promise<T>): Promise<T> {
  const end = performance.now() + START_MS;
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await call();
    } catch (error) {
      const pauseMs = passingPauseMs(error, refusals);
      if (!isLimit(error) || performance.now() + pauseMs >= end) throw error;
      await sleep(pauseMs);
    }
  }
}

async function startContext(client: AgentClient): Promise<Json> {
  const signal = AbortSignal.timeout(START_MS);
  // Makes both calls at the same time, because the time of the hook is short.
  const [task, state] = await Promise.all([
    inTime(() => client.call('read_task', {}, { signal })),
    inTime(() => client.call('read_session_state', {}, { signal })),
  ]);
  const lines = [
    visibleLine(
      `You are ${state.your_role} in the Parley session "${task.title}". The tools of the session are on the MCP server parley.`,
    ),
    visible(`Objective: ${task.objective}`),
    ...stateLines(state),
    ...(isEnded(state) ? [] : ['When there is nothing to do, stop. A hook then waits and tells you the next step.']),
  ];
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: lines.join('\n') } };
}

/** The members of a state that are part of a file name. */
const SeatOfState = z.object({ session_id: z.string().regex(SESSION_ID), your_role: z.enum(AGENT_ROLES) });

/** The step that the hook Stop returned last, and how many times in a row it returned that step. */
const Handed = z.strictObject({ key: z.string(), times: z.int() });
type Handed = z.output<typeof Handed>;

async function stopDecision(
  terminal: Terminal,
  client: AgentClient,
  { timeout, away }: HookFlags,
): Promise<Json | undefined> {
  const first = await waitForState(client, waitingFor(terminal, { timeout, away, isReady: () => true }));
  if (!first.state)
    return notice('The service does not answer, so the agent stops. To continue later, type "go on" to the agent.');
  const memory = memoryOf(terminal, first.state);
  const handed = await memory.read();
  const isSpent = (state: AgentState): boolean =>
    handed !== undefined && handed.times >= MOST_REPEATS && handed.key === stepKey(state);
  const isReady = (state: AgentState): boolean => hasStep(state) && !isSpent(state);
  const { state, ...waited } = await waitForState(client, waitingFor(terminal, { timeout, away, isReady }));
  if (!state)
    return notice(
      'The service has stopped answering, so the agent stops. To continue later, type "go on" to the agent.',
    );
  if (isEnded(state)) {
    await memory.remove();
    return undefined;
  }
  if (!waited.isReady)
    return notice(
      'The agent had nothing to do within the time limit of the hook, so the agent stops. To continue later, type "go on" to the agent.',
    );
  return handOut(state, memory, handed);
}

type HookWait = Pick<HookFlags, 'timeout' | 'away'> & Pick<Waiting, 'isReady'>;

const waitingFor = ({ err }: Terminal, { timeout, away, isReady }: HookWait) => ({
  isReady,
  limitMs: timeout * 1_000,
  awayMs: away * 1_000,
  onAway: (reason: string) => err(`parley: trying again: ${reason}`),
});

async function handOut(state: AgentState, memory: MemoryFile<Handed>, handed: Handed | undefined): Promise<Json> {
  const key = stepKey(state);
  const times = handed?.key === key ? handed.times + 1 : 1;
  await memory.write({ key, times });
  const repeated =
    'You were given this step before and stopped without making its call. Make the call now. If you cannot, post the reason in the session.';
  const lines = ['Parley has the next step for you.', ...stateLines(state), ...(times > 1 ? [repeated] : [])];
  return { decision: 'block', reason: lines.join('\n') };
}

function memoryOf({ environment }: Terminal, state: AgentState): MemoryFile<Handed> {
  const { success, data } = SeatOfState.safeParse(state);
  if (!success)
    throw commandFailed('The state is not that of a Parley session. Check PARLEY_URL, then start the client again.');
  return memoryFile(join(settingsFolder(environment), `${data.session_id}.${data.your_role}.hook.json`), Handed);
}
