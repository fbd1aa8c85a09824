import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, loadMission, runWithBots, type Transport } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { readAs } from '../../packages/owner-app/src/text/read-as.ts';
import type { Child } from '../../packages/owner-app/test/child.ts';
import { killableService } from '../../packages/owner-app/test/killable-service.ts';
import { SESSION } from '../../packages/owner-app/test/running-app.ts';
import { callDirectly, clientMachine, type Driven, PARLEY_CLAUDE, PARLEY_CODEX } from './client-machine.ts';
import { startModelServer } from './model-server.ts';

const WAIT_MS = 20_000;
const KILLS = 10;
/** Milliseconds for which the service is down while both `parley run` commands wait. */
const AWAY_MS = 10_000;
/** Milliseconds for which both `parley run` commands wait after the service is up again: longer than a long-poll. */
const POLLED_MS = 30_000;

/**
 * Whether a tool only reads. The test makes reads without the client, because a real model would know the answers from
 * its conversation.
 */
const isRead = (tool: string): boolean => /^(read|list|get|fetch|poll)_|^verify_next$/.test(tool);

test.skipIf(!PARLEY_CLAUDE || !PARLEY_CODEX)('Claude Code and Codex play a mission to its end', async () => {
  const service = await killableService();
  const model = await startModelServer();
  onTestFinished(model.close);
  const { run, fileOf } = await clientMachine(model);
  const runners = new Map<Driven, Child>();
  const kills = { runner: 0, client: 0, service: 0 };
  const killed = (): number => kills.runner + kills.client + kills.service;
  let calls = 0;
  const killRunner = async (role: Driven): Promise<void> => {
    kills.runner += 1;
    runners.get(role)?.process.kill('SIGKILL');
    await runners.get(role)?.ended;
    runners.set(role, run(service.url, role));
  };
  const killService = async (): Promise<void> => {
    kills.service += 1;
    await service.kill();
    await service.restart();
  };
  const killClient = async (role: Driven): Promise<void> => {
    const { call } = readAs(await fileOf(role, 'progress.json'), { call: 'record' });
    const { pid } = readAs(call.process, { pid: 'number' });
    if (pid === 0) return killRunner(role);
    kills.client += 1;
    process.kill(-pid, 'SIGKILL');
  };
  /**
   * At every fourth call, kills in rotation the service, the `parley run` of the role, or the client that it started.
   * Starts the service and `parley run` again. The client is started again by `parley run`.
   */
  const disturb = async (role: Driven): Promise<void> => {
    calls += 1;
    if (calls % 4 !== 0 || killed() >= KILLS) return;
    await [killService, killRunner, killClient][killed() % 3]?.(role);
  };
  const transport: Transport = {
    owner: service.owner,
    agents: async ({ role, code }) => {
      if (role === 'moderator') throw new Error('The mission has no moderator.');
      runners.set(role, run(service.url, role, code));
      await expect.poll(() => fileOf(role, 'seat.json'), { timeout: WAIT_MS }).toBeDefined();
      const token = String((await fileOf(role, 'seat.json'))?.token);
      return async (tool: string, input: Json) => {
        if (isRead(tool)) return callDirectly(service.url, token, tool, input);
        const done = model.order(role, tool, input);
        await disturb(role);
        return done;
      };
    },
  };
  await runWithBots(await loadMission('payment-capture'), transport);
  expect(await Promise.all([...runners.values()].map(({ ended }) => ended))).toEqual([0, 0]);
  expect(killed()).toBe(KILLS);
  expect(kills.service).toBeGreaterThanOrEqual(3);
  const starts =
    Number((await fileOf('agent_a', 'progress.json'))?.runs) + Number((await fileOf('agent_b', 'progress.json'))?.runs);
  const asked = [...model.requests.values()].flat().length;
  console.log(`${calls} calls, ${starts} starts, ${asked} requests to the model, kills: ${JSON.stringify(kills)}`);
  // One request for each call and for each start of a client, and some for calls that were repeated after a kill.
  expect(asked).toBeLessThanOrEqual(calls + starts + 5 * KILLS);
});

test.skipIf(!PARLEY_CLAUDE || !PARLEY_CODEX)(
  'no request reaches a model while parley run waits, through kills',
  async () => {
    const service = await killableService();
    const model = await startModelServer();
    onTestFinished(model.close);
    const { run } = await clientMachine(model);
    const created = await service.owner.createSession(SESSION);
    const id = String(created.session_id);
    const start = async (role: Driven): Promise<Child> =>
      run(service.url, role, String((await service.owner.call('invite', id, { role })).code));
    const [a, b] = [await start('agent_a'), await start('agent_b')];
    for (const [runner, role] of [
      [a, 'agent_a'],
      [b, 'agent_b'],
    ] as const)
      await runner.says(new RegExp(`${role}: waiting`));
    await service.kill();
    await sleep(AWAY_MS);
    await service.restart();
    a.process.kill('SIGKILL');
    await a.ended;
    const again = run(service.url, 'agent_a');
    await again.says(/agent_a: waiting/);
    await sleep(POLLED_MS);
    expect([...model.requests]).toEqual([]);
    for (const runner of [again, b]) runner.process.kill('SIGINT');
    expect([await again.ended, await b.ended]).toEqual([0, 0]);
  },
);
