import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerListing } from '@parley/core';
import { type CallByName, loadMission, readOutcome, runWithBots, type Transport } from '@parley/missions';
import { packageFile } from '../../server/package-file.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { wrapText } from '../../text/table.ts';
import { shellWord, visibleLine } from '../../text/visible.ts';
import { createAgentClient } from '../agent/agent-client.ts';
import { takeSeat } from '../agent/seat.ts';
import { createOwnerClient } from '../client/owner-client.ts';
import { ownerApi } from '../demo/demo.ts';
import { CliError, commandFailed, EXIT } from '../exit-codes.ts';
import { nextSignal, type Terminal } from '../terminal.ts';
import { shellDriver } from './drivers.ts';
import { type Limits, type RunFiles, runFiles, runLoop, startProgress } from './run-loop.ts';

/** Milliseconds after which an agent's program gets an empty answer, if there is no tool call for the agent. */
const HELD_MS = 500;
const LOOK_MS = 5;

interface Order {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly settle: (result: Json, isError: boolean) => void;
}

/**
 * A server on loopback that takes the place of the agents' models: it answers the programs of the agents with tool
 * calls.
 */
interface DemoScript {
  readonly url: string;
  /** Makes the program of a role call a tool. Rejects if the call is refused. */
  order(role: string, tool: string, input: Json): Promise<Json>;
  close(): void;
}

async function startDemoScript(): Promise<DemoScript> {
  const orders = new Map<string, Order[]>();
  let count = 0;
  const answer = async (request: IncomingMessage): Promise<Json> => {
    const role = (request.url ?? '').slice(1);
    const body = readAs(await json(request), { id: 'any', isError: 'any', result: 'record' });
    const queue = orders.get(role) ?? [];
    if (body.id !== undefined) {
      settle(queue, body);
      return {};
    }
    const next = await nextOrder(() => orders.get(role)?.[0]);
    return next ? { id: next.id, tool: next.tool, input: next.input } : {};
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    order: (role, tool, input) =>
      new Promise((resolve, reject) => {
        count += 1;
        const settled = (result: Json, isError: boolean): void =>
          isError
            ? reject(new Error(`${tool} was refused: ${readAs(result, { message: 'text' }).message}`))
            : resolve(result);
        orders.set(role, [...(orders.get(role) ?? []), { id: `call_${count}`, tool, input, settle: settled }]);
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function nextOrder(first: () => Order | undefined): Promise<Order | undefined> {
  for (let heldMs = 0; heldMs < HELD_MS; heldMs += LOOK_MS) {
    const order = first();
    if (order) return order;
    await sleep(LOOK_MS);
  }
  return undefined;
}

interface Settled {
  readonly id: unknown;
  readonly isError: unknown;
  readonly result: Json;
}

/**
 * Removes a tool call from the queue when its result has arrived. If the agent's program was killed, the call stays in
 * the queue for the next program.
 */
function settle(queue: Order[], { id, isError, result }: Settled): void {
  const place = queue.findIndex((order) => order.id === id);
  const [order] = place < 0 ? [] : queue.splice(place, 1);
  order?.settle(result, isError === true);
}

const PROGRAM = packageFile('bin/demo-agent.mjs');
const LIMITS: Limits = { runs: 1_000, minutes: 10, cost: 1, pauseMs: 100 };
const WHO_COLUMNS = 9;
const COLOURS = { agent_a: 'cyan', agent_b: 'yellow', owner: 'dim' } as const;
type Shown = keyof typeof COLOURS;

interface Driven {
  readonly files: RunFiles;
  readonly ended: Promise<void>;
  /** Milliseconds for which the agent's program has run, and the number of its tool calls. */
  readonly spent: { ms: number; calls: number };
}

interface DemoRun {
  readonly terminal: Terminal;
  readonly url: string;
  readonly script: DemoScript;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly print: (who: Shown, text: string) => void;
}

/**
 * Runs `parley run --demo`: two runner loops start a scripted program for each step of a mission, on a server that this
 * command starts.
 */
export async function demoRun(terminal: Terminal, listings: readonly OwnerListing[]): Promise<void> {
  const { startStandalone } = await import('../demo/standalone.ts');
  const { url, key, close } = await startStandalone();
  const script = await startDemoScript();
  const stop = new AbortController();
  const run = {
    ...{ terminal, url, script, signal: stop.signal },
    folder: await mkdtemp(join(tmpdir(), 'parley-run-')),
    print: (who: Shown, text: string) => {
      for (const [index, line] of wrapText(visibleLine(text), terminal.columns - WHO_COLUMNS).entries())
        terminal.out(`${terminal.paint(COLOURS[who], (index === 0 ? who : '').padEnd(WHO_COLUMNS))}${line}`);
    },
  };
  const stopped = nextSignal(stop.signal).then(() => {
    throw commandFailed('Stopped.');
  });
  try {
    await Promise.race([playMission(run, { client: createOwnerClient(url, key), listings }), stopped]);
  } finally {
    stop.abort();
    script.close();
    await close();
  }
}

async function playMission(run: DemoRun, server: Parameters<typeof ownerApi>[0]): Promise<void> {
  const { terminal, print } = run;
  const mission = await loadMission('payment-capture');
  terminal.out(
    `${mission.session.title}: ${terminal.program} run starts a scripted program for each step of each agent.`,
  );
  const startedAt = performance.now();
  const driven = new Map<string, Driven>();
  const transport: Transport = {
    owner: ownerApi(server),
    async agents({ role, code }) {
      if (role === 'moderator') throw new Error('The demo has no moderator.');
      const { agent, ...one } = await drive(run, role, code);
      driven.set(role, one);
      return agent;
    },
  };
  const { agents } = await runWithBots(mission, transport, {
    onCall: ({ by, tool }) => {
      if (by === 'owner' && tool !== 'view') print(by, tool);
    },
  });
  await Promise.all([...driven.values()].map(({ ended }) => ended));
  const lastedMs = performance.now() - startedAt;
  for (const line of closingLines(await readOutcome(agents.agent_a))) terminal.out(line);
  for (const [role, { files, spent }] of driven) {
    const runs = (await files.progress.read())?.runs ?? 0;
    const idle = `its program was not running for ${seconds(lastedMs - spent.ms)} of ${seconds(lastedMs)}`;
    terminal.out(`${role}: ${runs} runs, ${spent.calls} calls; ${idle}. Its output is in`);
    terminal.out(`  ${files.log}`);
  }
  terminal.out('');
  terminal.out(
    `To run an agent of your own, get an invitation code from the owner, then: ${terminal.program} run --for claude-code --folder ../shop`,
  );
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/**
 * Whether a tool only reads. For a read, the demo does not start the agent's program, because the mission reads more
 * often than an agent would.
 */
const isRead = (tool: string): boolean => /^(read|list|get|fetch|poll)_|^verify_(next|board)$/.test(tool);

/** Redeems the invitation code and starts the runner loop, as `parley run CODE --command` does. */
async function drive(run: DemoRun, role: 'agent_a' | 'agent_b', code: string): Promise<Driven & { agent: CallByName }> {
  const { url, script, folder, signal, print } = run;
  const terminal = {
    ...run.terminal,
    environment: {
      ...run.terminal.environment,
      XDG_CONFIG_HOME: folder,
      PARLEY_DEMO_SCRIPT: `${script.url}/${role}`,
    },
  };
  await mkdir(join(folder, role));
  const files = await runFiles(terminal, join(folder, role));
  const seat = await takeSeat(files.seat, { code, clientType: 'parley-run-demo', url });
  const spent = { ms: 0, calls: 0 };
  let from: number | undefined;
  const say = (text: string): void => {
    if (from !== undefined) spent.ms += performance.now() - from;
    from = text.startsWith('run ') ? performance.now() : undefined;
    if (from !== undefined) print(role, text);
  };
  const driver = shellDriver(`${shellWord(process.execPath)} ${shellWord(PROGRAM)}`);
  const running = { terminal, files, driver, flags: [], limits: LIMITS, signal, say };
  const ended = runLoop(running, await startProgress(files, seat)).then((exit) => {
    if (exit !== EXIT.OK)
      throw new CliError(
        exit,
        `The run of ${role} ended before the end of the mission. Read its output in ${files.log}.`,
      );
  });
  const call = createAgentClient(url, seat.token).call as CallByName;
  const agent = async (tool: string, input: Json): Promise<Json> => {
    if (isRead(tool)) return call(tool, input);
    spent.calls += 1;
    return Promise.race([script.order(role, tool, input), failed]);
  };
  // `failed` rejects if the loop fails, so that a waiting tool call ends. If the loop ends normally, `failed` never
  // settles.
  const failed = ended.then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  return { files, ended, spent, agent };
}

function closingLines(outcome: Json): string[] {
  const { status, phase, turns, contract_author: author, certified } = outcome;
  const scenarios = Object.values(readAs(outcome, { scenarios: 'record' }).scenarios);
  const passed = scenarios.filter((scenario) => scenario === 'PASSED').length;
  return [
    '',
    `The session is ${String(status)} in ${String(phase)}: ${String(turns)} turns, the contract by ${String(author)},`,
    `${passed} of ${scenarios.length} scenarios passed${certified === true ? ', certified' : ''}.`,
  ];
}
