import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { p99, startInnocent } from './support/innocent.ts';
import { newName, SESSION, startTarget, type Target } from './support/target.ts';

const IS_SHORT = process.env.ADVERSARY === 'short';
const FLOOD_MS = IS_SHORT ? 5_000 : 20_000;
const SESSIONS = 8;
const DIRECTIVES = 60;
/** Connections on which the viewer reads without a pause. */
const READERS = 40;
/** Milliseconds of the middle answer to the agents. The limit is higher in short mode, because other tests then run at the same time. */
const MOST_MEDIAN_MS = IS_SHORT ? 5_000 : 250;
/** Milliseconds between two health checks, as a load balancer sends them. */
const PROBE_MS = 50;

type Ask = (path: string, body?: object) => Promise<{ status: number; text: string }>;

const asking =
  (target: Target, key: string): Ask =>
  async (path, body) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${target.url}/owner/api${path}`, { ...init, headers });
    return { status: response.status, text: await response.text() };
  };

async function addPerson(target: Target, name: string, role: string, account_id: string): Promise<Ask> {
  const { status, body } = await target.owner('/people', { name, role, account_id });
  expect(status).toBe(200);
  return asking(target, String(body.key));
}

/** Fills sessions of another account with directives. Returns the ids of the sessions. */
async function fill(ask: Ask): Promise<string[]> {
  const ids: string[] = [];
  for (let session = 0; session < SESSIONS; session += 1) {
    const id = String(JSON.parse((await ask('/sessions', SESSION)).text).session_id);
    await ask(`/sessions/${id}/start`, {});
    const text = `Keep the offsets stable. ${'Every consumer reads from its own position. '.repeat(90)}`;
    for (let count = 0; count < DIRECTIVES; count += 1)
      expect((await ask(`/sessions/${id}/direct`, { targets: ['agent_a'], text })).status).toBe(200);
    ids.push(id);
  }
  return ids;
}

test('a viewer of another account who reads without a pause leaves the agents of an account their answers', async () => {
  const folder = newName('accounts');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const target = await startTarget({ folder });
  const { body } = await target.owner('/accounts', { name: 'Team B' });
  const account = String(Object(body.account).account_id);
  const ids = await fill(await addPerson(target, 'Operator B', 'operator', account));
  const read = await addPerson(target, 'Viewer B', 'viewer', account);
  const innocent = await startInnocent(target);
  await pause(5_000);
  const quiet = innocent.times();

  const statuses: Record<number, number> = {};
  const paths = ids.flatMap((id) => [
    '/find?words=position',
    '/overview',
    '/audit',
    '/audit/export',
    `/sessions/${id}/log`,
    `/sessions/${id}/verify-log`,
    `/find?words=offsets&session_id=${id}`,
  ]);
  const until = performance.now() + FLOOD_MS;
  const probe = async (): Promise<void> => {
    while (performance.now() < until) {
      expect((await fetch(`${target.url}/healthz`)).status).toBe(200);
      await pause(PROBE_MS);
    }
  };
  const readers = Array.from({ length: READERS }, async (_unused, reader) => {
    for (let count = reader; performance.now() < until; count += 1) {
      const { status } = await read(paths[count % paths.length] ?? '');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  await Promise.all([...readers, probe()]);
  const flooded = innocent.times();
  await innocent.stop();
  const [quietMs, floodedMs] = [median(quiet), median(flooded)];
  console.log(
    `a viewer of another account on ${READERS} connections: ${JSON.stringify(statuses)} in ${FLOOD_MS / 1000} s; ` +
      `answers to the agents: median ${quietMs} ms before, ${floodedMs} ms during, 99 % ${Math.round(p99(quiet))} ms and ${Math.round(p99(flooded))} ms`,
  );
  expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(0);
  expect(innocent.failures()).toEqual([]);
  expect(flooded.length).toBeGreaterThan(5);
  expect(floodedMs).toBeLessThan(MOST_MEDIAN_MS);
});

const median = (times: readonly number[]): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN);
