import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DRIVERS } from '../../packages/owner-app/src/cli/run/drivers.ts';
import { readAs } from '../../packages/owner-app/src/text/read-as.ts';
import { runApp, SESSION } from '../../packages/owner-app/test/running-app.ts';
import { type ClientCosts, WAITING_COSTS_FILE, type WaitingCost } from '../../scripts/measure/waiting-costs.ts';
import { clientMachine, type Driven, PARLEY_CLAUDE, PARLEY_CODEX } from './client-machine.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/**
 * Number of measured calls of the waiting tool. Each waits one second instead of 25, which does not change the number
 * of bytes.
 */
const POLLS = 10;
const POLLS_AN_HOUR = 3_600 / 25;
const COMMANDS = 3;
/** Number of `parley wait` commands in an hour, each of 540 seconds. */
const COMMANDS_AN_HOUR = 3_600 / 540;
/**
 * Codex returns from a command after 30 seconds, and waits for the command in further calls of 300 seconds: three
 * requests for 540 seconds.
 */
const CODEX_REQUESTS = 3;
/** Milliseconds for which `parley run` and the hook wait: longer than a long-poll. */
const SILENCE_MS = 60_000;

/** The cost of an hour of waiting with `requests` requests. `sizes`: bytes of each request of a measured wait. */
function costOf(sizes: readonly number[], requests: number): WaitingCost {
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)];
  return { requests, first, growth: Math.round((last - first) / Math.max(sizes.length - 1, 1)) };
}

const NOTHING: WaitingCost = { requests: 0, first: 0, growth: 0 };

const sizesOf = (model: ModelServer, role: string): readonly number[] => model.requests.get(role) ?? [];

/** Returns the sizes of the requests to the model that `calls` cause. */
async function measured(model: ModelServer, role: string, calls: () => Promise<void>): Promise<readonly number[]> {
  const before = sizesOf(model, role).length;
  await calls();
  await expect.poll(() => sizesOf(model, role).length).toBeGreaterThan(before);
  return sizesOf(model, role).slice(before);
}

const COMMAND: Readonly<Record<Driven, (model: ModelServer) => Promise<void>>> = {
  async agent_a(model) {
    await model.orderOwn('agent_a', 'Bash', { command: 'parley wait --timeout 1', timeout: 600_000 });
  },
  async agent_b(model) {
    const input = { cmd: 'parley wait --timeout 35', yield_time_ms: 30_000 };
    const begun = readAs(await model.orderOwn('agent_b', 'exec_command', input), { text: 'text' }).text;
    expect(begun).toMatch(/session ID \d+/);
    const session_id = Number(/session ID (\d+)/.exec(begun)?.[1]);
    const poll = { session_id, chars: '', yield_time_ms: 300_000 };
    expect(readAs(await model.orderOwn('agent_b', 'write_stdin', poll), { text: 'text' }).text).toContain(
      'Nothing to do yet.',
    );
  },
};
const FLAGS = { agent_a: ['--allowedTools', 'Bash'], agent_b: ['--dangerously-bypass-approvals-and-sandbox'] };
const PROGRAMS = { agent_a: PARLEY_CLAUDE ?? '', agent_b: PARLEY_CODEX ?? '' };
const NAMES = { agent_a: 'claude-code', agent_b: 'codex' } as const;
const versionOf = (program: string): string => execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();

async function openService() {
  const app = await runApp();
  const model = await startModelServer();
  onTestFinished(model.close);
  const owner = app.parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  const code = async (role: Driven): Promise<string> => (await owner.invite(id, { role })).code;
  return { app, model, code, machine: await clientMachine(model) };
}

/** Measures what `wait_for_my_turn` and the command `parley wait` cost one client in a new conversation. */
async function measureClient(role: Driven): Promise<Pick<ClientCosts['ways'], 'tool' | 'wait'>> {
  const { app, model, code, machine } = await openService();
  const { token } = await app.parley.redeem({ code: await code(role) });
  const input = { prompt: 'Begin.', url: app.url, conversation: undefined, flags: FLAGS[role] };
  const { args } = DRIVERS[NAMES[role]].command(input);
  machine.start(PROGRAMS[role], args, { folder: join(machine.home, role), url: app.url, token });
  await model.order(role, 'wait_for_my_turn', { wait: 1 });
  const tool = await measured(model, role, async () => {
    for (let poll = 0; poll < POLLS; poll += 1) await model.order(role, 'wait_for_my_turn', { wait: 1 });
  });
  const wait = await measured(model, role, async () => {
    for (let command = 0; command < COMMANDS; command += 1) await COMMAND[role](model);
  });
  const requests = Math.ceil(COMMANDS_AN_HOUR * (role === 'agent_b' ? CODEX_REQUESTS : 1));
  return { tool: costOf(tool, POLLS_AN_HOUR), wait: costOf(wait, requests) };
}

test.skipIf(!PARLEY_CLAUDE || !PARLEY_CODEX)('waiting costs the requests that the table says', async () => {
  const [codex, claude] = [await measureClient('agent_b'), await measureClient('agent_a')];
  const running = await openService();
  for (const role of ['agent_a', 'agent_b'] as const)
    await running.machine.run(running.app.url, role, await running.code(role)).says(new RegExp(`${role}: waiting`));
  const hooked = await openService();
  await hooked.machine.startHooked(hooked.app.url, await hooked.code('agent_b'));
  // The client with the hook sends one request to its model. Then the model ends its turn, and the hook waits.
  await expect.poll(() => sizesOf(hooked.model, 'agent_a').length).toBe(1);
  await sleep(SILENCE_MS);
  expect([...running.model.requests]).toEqual([]);
  expect(sizesOf(hooked.model, 'agent_a')).toHaveLength(1);
  const clients: ClientCosts[] = [
    { client: versionOf(PROGRAMS.agent_a), ways: { ...claude, hook: NOTHING, run: NOTHING } },
    { client: versionOf(PROGRAMS.agent_b), ways: { ...codex, run: NOTHING } },
  ];
  console.log(JSON.stringify(clients, null, 2));
  for (const { ways } of clients) expect(Number(ways.tool?.requests)).toBeGreaterThan(6 * Number(ways.wait?.requests));
  if (process.env.WAITING_COSTS !== 'write') return;
  const costs = {
    measured: new Date().toISOString().slice(0, 10),
    machine: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    clients,
  };
  writeFileSync(WAITING_COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`);
});
