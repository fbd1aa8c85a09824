import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnerListing } from '@parley/core';
import { type CallTool, loadMission, readOutcome, runWithBots, type Transport } from '@parley/missions';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf } from '../../transcript/message.ts';
import { createAgentClient } from '../agent/agent-client.ts';
import { createOwnerClient } from '../client/owner-client.ts';
import { ownerApi } from '../demo/run-demo.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { shellWord } from '../print/shell-word.ts';
import { nextSignal } from '../service/signals.ts';
import type { Terminal } from '../terminal.ts';
import { type DemoScript, startDemoScript } from './demo-script.ts';
import { shellDriver } from './drivers.ts';
import { type RunFiles, runFiles } from './run-files.ts';
import { type Limits, runLoop } from './run-loop.ts';
import { startProgress, takeSeat } from './take-seat.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/demo-agent.mjs', import.meta.url));
const LIMITS: Limits = { runs: 1_000, minutes: 10, cost: 1, pauseMs: 100 };
const COLOURS = { agent_a: 'cyan', agent_b: 'yellow', owner: 'dim' } as const;
type Shown = keyof typeof COLOURS;

/** One agent of the demo: the files of its run, and the end of its loop. */
interface Driven {
  readonly files: RunFiles;
  readonly ended: Promise<void>;
  /** Milliseconds for which the agent's program ran, and the number of calls that it made. */
  readonly spent: { ms: number; calls: number };
}

interface Stage {
  readonly terminal: Terminal;
  readonly url: string;
  readonly script: DemoScript;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly tell: (who: Shown, text: string) => void;
}

/** `parley run --demo`: two loops of `parley run` drive a scripted program through a mission, on a server of their own. */
export async function demoRun(terminal: Terminal, listings: readonly OwnerListing[]): Promise<void> {
  const { startStandalone } = await import('../demo/standalone.ts');
  const { url, key, close } = await startStandalone();
  const script = await startDemoScript();
  const stop = new AbortController();
  const stage = {
    ...{ terminal, url, script, signal: stop.signal },
    folder: await mkdtemp(join(tmpdir(), 'parley-run-')),
    tell: (who: Shown, text: string) =>
      terminal.out(`${terminal.paint(COLOURS[who], who.padEnd(9))}${visibleLine(text).slice(0, terminal.columns - 9)}`),
  };
  const stopped = nextSignal(stop.signal).then(() => {
    throw new CliError(EXIT.REFUSED, 'Stopped.');
  });
  try {
    await Promise.race([playMission(stage, { client: createOwnerClient(url, key), listings }), stopped]);
  } finally {
    stop.abort();
    script.close();
    await close();
  }
}

async function playMission(stage: Stage, server: Parameters<typeof ownerApi>[0]): Promise<void> {
  const { terminal, tell } = stage;
  const mission = await loadMission('payment-capture');
  terminal.out(
    `${mission.session.title}: a scripted program for each side, started by ${terminal.program} run for each step.`,
  );
  const startedAt = performance.now();
  const driven = new Map<string, Driven>();
  const transport: Transport = {
    owner: ownerApi(server),
    async agents({ role, code }) {
      if (role === 'moderator') throw new Error('The demo has no moderator.');
      const { agent, ...one } = await drive(stage, role, code);
      driven.set(role, one);
      return agent;
    },
  };
  const { agents } = await runWithBots(mission, transport, {
    onCall: ({ by, tool }) => {
      if (by === 'owner' && tool !== 'view') tell(by, tool);
    },
  });
  await Promise.all([...driven.values()].map(({ ended }) => ended));
  const lastedMs = performance.now() - startedAt;
  for (const line of closingLines(await readOutcome(agents.agent_a))) terminal.out(line);
  for (const [role, { files, spent }] of driven) {
    const runs = (await files.progress.read())?.runs ?? 0;
    const idle = `no program ran for ${seconds(lastedMs - spent.ms)} of ${seconds(lastedMs)}`;
    terminal.out(`${role}: ${runs} runs, ${spent.calls} calls; ${idle}. Output:`);
    terminal.out(`  ${files.log}`);
  }
  terminal.out('');
  terminal.out(`Next, with a code of the owner: ${terminal.program} run CODE --for claude-code --folder ../shop`);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Whether a tool only reads. Such calls do not go through the program, because a bot reads more often than an agent. */
const isRead = (tool: string): boolean => /^(read|list|get|fetch|poll)_|^verify_(next|board)$/.test(tool);

/** Redeems the code and starts the loop, as `parley run CODE --command` does. */
async function drive(stage: Stage, role: 'agent_a' | 'agent_b', code: string): Promise<Driven & { agent: CallTool }> {
  const { url, script, folder, signal, tell } = stage;
  const terminal = {
    ...stage.terminal,
    environment: {
      ...stage.terminal.environment,
      XDG_CONFIG_HOME: folder,
      PARLEY_DEMO_SCRIPT: `${script.url}/${role}`,
    },
  };
  await mkdir(join(folder, role));
  const files = await runFiles(terminal, join(folder, role));
  const seat = await takeSeat(files, { code, clientType: 'parley-run-demo', url, isUrlGiven: true });
  const spent = { ms: 0, calls: 0 };
  let from: number | undefined;
  const say = (text: string): void => {
    if (from !== undefined) spent.ms += performance.now() - from;
    from = text.startsWith('run ') ? performance.now() : undefined;
    if (from !== undefined) tell(role, text);
  };
  const driver = shellDriver(`${shellWord(process.execPath)} ${shellWord(PROGRAM)}`);
  const running = { terminal, files, driver, flags: [], limits: LIMITS, signal, say };
  const ended = runLoop(running, await startProgress(files, seat)).then((exit) => {
    if (exit !== EXIT.OK) throw new CliError(exit, `The loop of ${role} ended; read ${files.log}.`);
  });
  const client = createAgentClient(url, seat.token);
  const agent = async (tool: string, input: Members): Promise<Members> => {
    if (isRead(tool)) return client.call(tool, input);
    spent.calls += 1;
    return Promise.race([script.order(role, tool, input), failed]);
  };
  // Rejects if the loop fails, which ends a waiting call. If the session ends normally, `failed` stays pending.
  const failed = ended.then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  return { files, ended, spent, agent };
}

function closingLines(outcome: Members): string[] {
  const { status, phase, turns, contract_author: author, certified } = outcome;
  const scenarios = Object.values(membersOf(outcome.scenarios));
  const passed = scenarios.filter((scenario) => scenario === 'PASSED').length;
  return [
    '',
    `The session is ${String(status)} in ${String(phase)}: ${String(turns)} turns, the contract by ${String(author)},`,
    `${passed} of ${scenarios.length} scenarios passed${certified === true ? ', certified' : ''}.`,
  ];
}
