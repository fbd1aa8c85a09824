import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningApp, runApp, SESSION } from '../../packages/owner-app/test/running-app.ts';
import { callDirectly, clientMachine, PARLEY_CLAUDE } from './client-machine.ts';
import { startModelServer } from './model-server.ts';

const WAIT_MS = 20_000;
/** Number of turns that one builder posts in a session of ten rounds. */
const TURNS = 10;
/** Seconds for which the Stop hook waits. PARLEY_HOOK_SECONDS=1200 sets 20 minutes. */
const HOOK_SECONDS = Number(process.env.PARLEY_HOOK_SECONDS ?? 60);

test.skipIf(!PARLEY_CLAUDE)(
  'the Stop hook of Claude Code waits, and one request to the model ends the wait',
  async () => {
    const app = await runApp();
    const model = await startModelServer();
    onTestFinished(model.close);
    const asked = (): number => model.requests.get('agent_a')?.length ?? 0;
    const { startHooked } = await clientMachine(model);
    const owner = app.parley.owner('owner');
    const { session_id: id } = await owner.createSession(SESSION);
    const codes = {
      agent_a: await owner.invite(id, { role: 'agent_a' }),
      agent_b: await owner.invite(id, { role: 'agent_b' }),
    };
    const other = (await app.parley.redeem({ code: codes.agent_a.code })).token;
    await owner.start(id);

    const claude = await startHooked(app.url, codes.agent_b.code);
    const ended = once(claude, 'exit');
    await expect.poll(() => asked(), { timeout: WAIT_MS }).toBe(1);
    const waitedFrom = performance.now();
    while (performance.now() - waitedFrom < HOOK_SECONDS * 1_000) await longPolls(app, 1);
    console.log(`the Stop hook waited ${Math.round((performance.now() - waitedFrom) / 1_000)} s`);
    expect(asked()).toBe(1);
    // Claude Code ends after nine Stop hooks without a tool call between them. Each turn below is a tool call, so Claude
    // Code must still run after ten turns.
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const posted = model.order('agent_a', 'post_turn', { summary: 'The bank side.', next_step: 'Go on.' });
      await callDirectly(app.url, other, 'post_turn', { summary: 'The shop side.', next_step: 'Go on.' });
      await posted;
      // Each turn costs two requests to the model: at the end of the wait, and with the result of the tool call.
      await expect.poll(asked).toBe(1 + 2 * turn);
      // The next request must come from the hook, because the model ends its turn after a second without an order.
      const before = app.requests.length;
      await expect.poll(() => app.requests.length).toBeGreaterThan(before);
    }
    await owner.end(id, { end_reason: 'CANCELLED' });
    expect(await ended).toEqual([0, null]);
    expect(asked()).toBe(1 + 2 * TURNS);
  },
);

/** Resolves when the service has answered `count` further MCP calls that took more than 20 s. */
async function longPolls({ requests }: RunningApp, count: number): Promise<void> {
  const held = (): number => requests.filter(({ ms }) => ms > 20_000).length;
  const before = held();
  await expect.poll(held, { timeout: (count + 1) * 30_000, interval: 500 }).toBe(before + count);
}
