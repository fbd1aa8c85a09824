import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess } from '@parley/storage-pg';
import { expect, test } from 'vitest';
import { readAs } from '../../src/text/read-as.ts';
import { killableService } from '../killable-service.ts';
import { SESSION } from '../running-app.ts';
import { joinedAgents, turn } from './joined.ts';
import { machine } from './machine.ts';

test('a lock file whose process id was reused by another process does not stop a runner', async () => {
  const joined = await joinedAgents();
  const { owner, id } = joined;
  const a = await machine(joined, 'agent_a');
  const first = a.run('held', a.code);
  await expect.poll(async () => (await a.prompts()).length).toBe(1);
  first.process.kill('SIGKILL');
  await first.ended;
  const files = await a.files();
  const progress = JSON.parse(await readFile(join(files, 'progress.json'), 'utf8'));
  process.kill(-progress.call.process.pid, 'SIGKILL');
  // Records the id of this test's process as the id of the former runner and of its client, with another start time.
  const reused = { ...identifyProcess(process.pid), startedAt: '1' };
  await writeFile(join(files, 'lock-of-the-former'), JSON.stringify(reused));
  const call = { ...progress.call, process: reused };
  await writeFile(join(files, 'progress.json'), JSON.stringify({ ...progress, call }));
  const second = a.run('plays');
  await expect.poll(async () => (await owner().view(id)).state.turn_index).toBe(1);
  await owner().end(id, { end_reason: 'CANCELLED' });
  expect(await second.ended).toBe(0);
});

test('if several runners start at the same time, one of them runs', async () => {
  const joined = await joinedAgents();
  const { owner, id } = joined;
  const b = await machine(joined, 'agent_b');
  const first = b.run('plays', b.code);
  await first.says(/agent_b: waiting/);
  first.process.kill('SIGKILL');
  await first.ended;
  const runners = [b.run('plays'), b.run('plays'), b.run('plays')];
  const codes: (number | null)[] = [];
  for (const runner of runners) void runner.ended.then((code) => codes.push(code));
  await expect.poll(() => codes.length).toBeGreaterThanOrEqual(2);
  expect(codes).toEqual([2, 2]);
  await owner().end(id, { end_reason: 'CANCELLED' });
  await Promise.all(runners.map(({ ended }) => ended));
  expect(codes).toEqual([2, 2, 0]);
});

test('if the folder for the files is not writable, no client is started and the code is not used', async () => {
  const joined = await joinedAgents();
  const a = await machine(joined, 'agent_a');
  const runs = join(a.home, '.config', 'parley', 'runs');
  await mkdir(join(a.home, '.config', 'parley'), { recursive: true });
  await writeFile(runs, 'not a folder');
  const refused = a.run('plays', a.code);
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toMatch(/^parley: (EEXIST|ENOTDIR): /);
  await rm(runs);
  const held = a.run('held', a.code);
  await expect.poll(async () => (await a.prompts()).length).toBe(1);
  held.process.kill('SIGINT');
  await writeFile(join(a.folder, 'go'), '');
  expect(await held.ended).toBe(0);
});

test('a client whose process cannot be recorded is killed', async () => {
  const joined = await joinedAgents();
  const { call, owner, id } = joined;
  const b = await machine(joined, 'agent_b');
  const running = b.run('held', b.code);
  await running.says(/agent_b: waiting/);
  const progress = join(await b.files(), 'progress.json');
  await rm(progress);
  await mkdir(progress);
  await call('agent_a', 'post_turn', turn('The shop side.'));
  expect(await running.ended).toBe(1);
  expect(running.err()).toMatch(/^parley: EISDIR: /m);
  // If the client were still running, it would post its turn now.
  await writeFile(join(b.folder, 'go'), '');
  await sleep(500);
  expect((await owner().view(id)).state.turn_index).toBe(1);
});

test('continues after kills of the service, the runner and the client, and starts no client while it waits', async () => {
  const service = await killableService();
  const { owner, url } = service;
  const id = String((await owner.createSession(SESSION)).session_id);
  const code = async (role: string): Promise<string> => String((await owner.call('invite', id, { role })).code);
  const turns = async (): Promise<number> =>
    readAs((await owner.call('view', id, {})).state, { turn_index: 'number' }).turn_index;
  const [a, b] = [await machine({ url, code }, 'agent_a'), await machine({ url, code }, 'agent_b')];
  const runB = b.run('plays', b.code);
  await runB.says(/agent_b: waiting/);
  let runA = a.run('plays', a.code);
  await runA.says(/agent_a: waiting/);
  await service.kill();
  await runA.says(/agent_a: trying again: /);
  expect([...(await a.prompts()), ...(await b.prompts())]).toEqual([]);
  await service.restart();
  await owner.call('start', id, {});
  const killClient = async (): Promise<boolean> => {
    const { call } = JSON.parse(await readFile(join(await a.files(), 'progress.json'), 'utf8'));
    try {
      return call !== undefined && process.kill(-call.process.pid, 'SIGKILL');
    } catch {
      return false;
    }
  };
  const disturb = {
    client: () => expect.poll(killClient, { interval: 5 }).toBe(true),
    async service() {
      await service.kill();
      await service.restart();
    },
    async runner() {
      runA.process.kill('SIGKILL');
      await runA.ended;
      runA = a.run('plays');
    },
  };
  const kills = ['client', 'service', 'runner', 'service', 'client', 'runner'] as const;
  for (const kill of kills) {
    const before = await turns();
    await disturb[kill]();
    await expect.poll(turns).toBeGreaterThan(before + 1);
  }
  await expect.poll(turns).toBe(20);
  await owner.call('end', id, { end_reason: 'CANCELLED' });
  expect([await runA.ended, await runB.ended]).toEqual([0, 0]);
  const started = [...(await a.prompts()), ...(await b.prompts())].filter((text) => text.includes('Next: post_turn: '));
  expect(started.length).toBeGreaterThanOrEqual(20);
  expect(started.length).toBeLessThanOrEqual(20 + 2 * kills.length);
});
