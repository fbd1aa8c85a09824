import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from '@parley/core';
import { loadMission, runWithBots, type Transport } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { membersOf, numberIn } from '../../packages/owner-app/src/transcript/message.ts';
import { AS_OWNER, ask } from '../../packages/owner-app/test/ask.ts';
import { type Child, startCli } from '../../packages/owner-app/test/child.ts';
import { type RunningApp, runApp } from '../../packages/owner-app/test/running-app.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** Paths of the real clients, installed from the npm registry. */
const { PARLEY_CLAUDE, PARLEY_CODEX } = process.env;
const CLIENTS = { agent_a: 'claude-code', agent_b: 'codex' } as const;
type Driven = keyof typeof CLIENTS;
const WAIT_MS = 20_000;
/** For how long the Stop hook waits; 1,200 is 20 minutes. */
const HOOK_SECONDS = Number(process.env.PARLEY_HOOK_SECONDS ?? 60);

/** A machine with both clients on its PATH, whose models are the scripted one. */
async function clientMachine(model: ModelServer) {
  const home = await mkdtemp(join(tmpdir(), 'parley-clients-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const bin = join(home, 'bin');
  for (const folder of [bin, join(home, '.codex'), join(home, 'agent_a'), join(home, 'agent_b')])
    await mkdir(folder, { recursive: true });
  await symlink(PARLEY_CLAUDE ?? '', join(bin, 'claude'));
  await symlink(PARLEY_CODEX ?? '', join(bin, 'codex'));
  const provider = `name = "scripted"\nbase_url = "${model.url}/agent_b/v1"\nwire_api = "responses"`;
  const config = `model = "scripted"\nmodel_provider = "scripted"\n[model_providers.scripted]\n${provider}\n`;
  await writeFile(join(home, '.codex/config.toml'), config);
  const environment = {
    HOME: home,
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    ANTHROPIC_BASE_URL: `${model.url}/agent_a`,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // The scripted model names tools without a search for them.
    ENABLE_TOOL_SEARCH: 'false',
  };
  const run = (url: string, role: Driven, ...code: readonly string[]): Child => {
    const flags = ['--for', CLIENTS[role], '--folder', join(home, role), '--url', url, '--pause', '1'];
    return startCli(['run', ...code, ...flags], environment);
  };
  const runs = join(home, '.config/parley/runs');
  const fileOf = async (role: Driven, name: string): Promise<Record<string, unknown> | undefined> => {
    for (const run of await readdir(runs).catch(() => [])) {
      const content = JSON.parse(await readFile(join(runs, run, name), 'utf8').catch(() => '{}'));
      if (content.role === role) return content;
    }
    return undefined;
  };
  return { home, environment, run, fileOf };
}

/** Reads are made for the bot alone: a client would answer them from its conversation. */
const isRead = (tool: string): boolean => /^(read|list|get|fetch|poll)_|^verify_next$/.test(tool);

async function callDirectly(url: string, token: string, name: string, input: object) {
  const response = await fetch(`${url}/api/public/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result } = JSON.parse(await response.text());
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent;
}

test.skipIf(!PARLEY_CLAUDE || !PARLEY_CODEX)('Claude Code and Codex play a mission to its end', async () => {
  const app = await runApp();
  const model = await startModelServer();
  onTestFinished(model.close);
  const { run, fileOf } = await clientMachine(model);
  const runners = new Map<Driven, Child>();
  const owner = app.parley.owner('owner');
  let kills = 0;
  let calls = 0;
  /** Kills the runner or its client, and starts the runner again. */
  const disturb = async (role: Driven): Promise<void> => {
    calls += 1;
    if (calls % 4 !== 0 || kills >= 10) return;
    kills += 1;
    const progress = await fileOf(role, 'progress.json');
    const call = progress?.call;
    const pid = numberIn(membersOf(membersOf(call).process), 'pid');
    if (kills % 2 === 0 && pid > 0) return void process.kill(-pid, 'SIGKILL');
    runners.get(role)?.process.kill('SIGKILL');
    await runners.get(role)?.ended;
    runners.set(role, run(app.url, role));
  };
  const transport: Transport = {
    owner: {
      createSession: async (input) =>
        (await ask(app.url, '/owner/api/sessions', { headers: AS_OWNER, body: input })).json,
      call: async (operation, sessionId, input) => owner.call(operation, sessionId, input),
    },
    agents: async ({ role, code }) => {
      if (role === 'moderator') throw new Error('The mission has no moderator.');
      runners.set(role, run(app.url, role, code));
      await expect.poll(() => fileOf(role, 'seat.json'), { timeout: WAIT_MS }).toBeDefined();
      const token = String((await fileOf(role, 'seat.json'))?.token);
      return async (tool, input) => {
        if (isRead(tool)) return callDirectly(app.url, token, tool, input);
        const done = model.order(role, tool, input);
        await disturb(role);
        return done;
      };
    },
  };
  await runWithBots(await loadMission('payment-capture'), transport);
  expect(await Promise.all([...runners.values()].map(({ ended }) => ended))).toEqual([0, 0]);
  expect(kills).toBe(10);
  // Two requests for a call: one that is answered with it, one that brings its result; and one for each start of a client.
  const starts =
    Number((await fileOf('agent_a', 'progress.json'))?.runs) + Number((await fileOf('agent_b', 'progress.json'))?.runs);
  expect(Number(model.requests.get('agent_a')) + Number(model.requests.get('agent_b'))).toBeLessThanOrEqual(
    calls + starts + kills,
  );
});

test.skipIf(!PARLEY_CLAUDE || !PARLEY_CODEX)('no request reaches a model while parley run waits', async () => {
  const app = await runApp();
  const model = await startModelServer();
  onTestFinished(model.close);
  const { run } = await clientMachine(model);
  const { id, owner } = await createSession(app.parley.owner('owner'));
  const running = run(app.url, 'agent_a', (await owner.invite(id, { role: 'agent_a' })).code);
  await running.says(/agent_a: waiting/);
  await longPolls(app, 2);
  expect([...model.requests]).toEqual([]);
  running.process.kill('SIGINT');
  expect(await running.ended).toBe(0);
});

test.skipIf(!PARLEY_CLAUDE)(
  'the Stop hook of Claude Code waits, and one request to the model ends the wait',
  async () => {
    const app = await runApp();
    const model = await startModelServer();
    onTestFinished(model.close);
    const { home, environment } = await clientMachine(model);
    const { id, owner } = await createSession(app.parley.owner('owner'));
    const codes = {
      agent_a: await owner.invite(id, { role: 'agent_a' }),
      agent_b: await owner.invite(id, { role: 'agent_b' }),
    };
    const folder = join(home, 'agent_b');
    const connect = ['connect', codes.agent_b.code, '--for', 'claude-code', '--write', '--hooks', '--json'];
    const connected = startCli([...connect, '--folder', folder, '--url', app.url], environment);
    expect(await connected.ended).toBe(0);
    const { token_file: file } = JSON.parse(connected.out());
    const [, token = ''] = /PARLEY_TOKEN=(.+)/.exec(await readFile(file, 'utf8')) ?? [];
    const other = (await app.parley.redeem({ code: codes.agent_a.code })).token;
    await owner.start(id);

    const args = ['-p', 'Begin.', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__parley'];
    const claude = spawn(PARLEY_CLAUDE ?? '', args, {
      cwd: folder,
      env: { ...environment, PARLEY_TOKEN: token, PARLEY_URL: app.url },
      stdio: 'ignore',
    });
    onTestFinished(() => void claude.kill('SIGKILL'));
    const ended = once(claude, 'exit');
    await expect.poll(() => model.requests.get('agent_a'), { timeout: WAIT_MS }).toBe(1);
    const waitedFrom = performance.now();
    while (performance.now() - waitedFrom < HOOK_SECONDS * 1_000) await longPolls(app, 1);
    console.log(`the Stop hook waited ${Math.round((performance.now() - waitedFrom) / 1_000)} s`);
    expect(model.requests.get('agent_a')).toBe(1);
    const posted = model.order('agent_a', 'post_turn', { summary: 'The bank side.', next_step: 'Go on.' });
    await callDirectly(app.url, other, 'post_turn', { summary: 'The shop side.', next_step: 'Go on.' });
    await posted;
    // The request at the end of the wait, and that with the result of its tool call.
    await expect.poll(() => model.requests.get('agent_a')).toBe(3);
    await owner.end(id, { end_reason: 'CANCELLED' });
    expect(await ended).toEqual([0, null]);
    expect(model.requests.get('agent_a')).toBe(3);
  },
);

async function createSession(owner: Owner) {
  const { session_id: id } = await owner.createSession({
    title: 'Waiting',
    objective: 'Nothing happens.',
    requirements: [{ requirement_id: 'r-1', text: 'Wait.' }],
  });
  return { id, owner };
}

/** Resolves when the service has answered so many further calls over MCP that lasted 20 seconds or more. */
async function longPolls({ requests }: RunningApp, count: number): Promise<void> {
  const held = (): number => requests.filter(({ ms }) => ms > 20_000).length;
  const before = held();
  await expect.poll(held, { timeout: (count + 1) * 30_000, interval: 500 }).toBe(before + count);
}
