import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { newName, SESSION, type Seats, seat, startTarget, type Target, until } from './support/target.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const INVITATION_MS = 7 * DAY_MS;
const SLACK_MS = 60_000;
const JUMPING_CLOCK = new URL('support/jumping-clock.mjs', import.meta.url).href;

let target: Target;
let seats: Seats;
let setClock: (wrongByMs: number) => Promise<void>;

beforeEach(async () => {
  const folder = newName('clock');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'wrong-by');
  const environment = { NODE_OPTIONS: `--import ${JUMPING_CLOCK}`, WRONG_BY_FILE: file };
  target = await startTarget({ folder, environment });
  seats = await seat(target);
  setClock = async (wrongByMs) => {
    await writeFile(file, String(wrongByMs));
    target.process.kill('SIGUSR2');
    expect(await until(async () => Math.abs((await clockOf()) - Date.now() - wrongByMs) < SLACK_MS)).toBe(true);
  };
});

/** Derives the time of the service's clock from the expiry of a new invitation. */
async function clockOf(): Promise<number> {
  const { session_id } = (await target.owner('/sessions', SESSION)).body;
  const { expires_at } = (await target.owner(`/sessions/${session_id}/invite`, { role: 'agent_a' })).body;
  return Date.parse(String(expires_at)) - INVITATION_MS;
}

const call = (role: 'agent_a' | 'agent_b', path: string, body?: object) =>
  target.agent(seats.tokens[role], `/agent/sessions/${seats.id}/${path}`, body);

async function reinvite(role: 'agent_a' | 'agent_b') {
  const { code } = (await target.owner(`/sessions/${seats.id}/invite`, { role })).body;
  return (await target.agent('', '/agent/invitations/redeem', { code })).body;
}

test('one write with a clock 30 days ahead makes no later token live longer, and no wait hang', async () => {
  await setClock(DAY_MS / 2);
  expect((await call('agent_a', 'turns', { summary: 'From tomorrow.' })).status).toBe(200);
  await setClock(30 * DAY_MS);
  expect((await call('agent_b', 'state')).body).toMatchObject({ error: 'TOKEN_EXPIRED' });
  expect((await target.owner(`/sessions/${seats.id}/direct`, { targets: ['agent_b'], text: 'Go on.' })).status).toBe(
    200,
  );

  await setClock(0);
  const waited = await call('agent_b', 'state?wait=1');
  expect(waited).toMatchObject({ status: 200, body: { your_turn: true } });
  expect((await call('agent_b', 'turns', { summary: 'From today.' })).status).toBe(200);
  const { token, expires_at } = await reinvite('agent_a');
  expect(Date.parse(String(expires_at))).toBeLessThan(Date.now() + DAY_MS + SLACK_MS);
  const state = await target.agent(String(token), `/agent/sessions/${seats.id}/state`);
  expect(state).toMatchObject({ status: 200, body: { your_turn: true } });
});

test('a clock set back by 30 days serves on, and a held wait ends by its time', async () => {
  await setClock(-30 * DAY_MS);
  expect((await call('agent_a', 'turns', { summary: 'From last month.' })).status).toBe(200);
  const began = performance.now();
  expect((await call('agent_a', 'state?wait=1&after=999')).status).toBe(422);
  const { cursor } = (await call('agent_a', 'state')).body;
  expect(await call('agent_a', `state?wait=1&after=${cursor}`)).toMatchObject({
    status: 200,
    body: { timed_out: true },
  });
  expect(performance.now() - began).toBeLessThan(20_000);
  await setClock(0);
  expect((await call('agent_b', 'turns', { summary: 'From today.' })).status).toBe(200);
  expect((await target.owner(`/sessions/${seats.id}/verify-log`)).body).toMatchObject({ ok: true });
});
