import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/servers/free-port.ts';
import { manifestOf } from './manifests.ts';
import { newcomer } from './newcomer.ts';

const { name, version } = manifestOf('packages/cli');
const MOST_BYTES = 30_000_000;
/** Milliseconds on a machine that does nothing else. Compared if `TIMED` is 1. */
const MOST_MS = { firstTurn: 15_000, end: 60_000 };
const NPX = ['-y', name];

test('npx runs the demo in an empty folder', async () => {
  await newcomer().run('npx', [...NPX, '--version']); // The registry of the test gets what it lacks.
  const { folder, start, downloadedBytes } = newcomer();
  const demo = start('npx', [...NPX, 'demo']);
  const firstTurn = await demo.printed('turn 1, round 1');
  expect(await demo.ended).toBe(0);
  const end = await demo.printed('The session ended as the mission file describes.');
  const bytes = downloadedBytes();
  console.log(
    `npx -y ${name} demo: ${(bytes / 1e6).toFixed(1)} MB downloaded, first turn after ${seconds(firstTurn)}, end after ${seconds(end)}`,
  );
  expect(bytes).toBeLessThan(MOST_BYTES);
  if (process.env.TIMED === '1') expect({ firstTurn, end }).toSatisfy(isQuick);
  expect(demo.out()).toContain(`npx -y ${name} serve`);
  expect(existsSync(join(folder, '.parley'))).toBe(false);
});

const isQuick = ({ firstTurn, end }: { readonly firstTurn: number; readonly end: number }): boolean =>
  firstTurn <= MOST_MS.firstTurn && end <= MOST_MS.end;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

test('npx serves with the embedded database and the console', async () => {
  const { folder, start, run } = newcomer();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const serving = start('npx', [...NPX, 'serve'], { PORT: port });
  await serving.printed(`parley listening on ${url}`);
  expect(existsSync(join(folder, '.parley/pg'))).toBe(true);
  const page = await fetch(`${url}/owner/`);
  expect(await page.text()).toMatch(/<script type="module"[^>]+src="\/owner\/assets\/[\w-]+\.js"/);
  const [, script = ''] =
    /<script type="module"[^>]+src="(\/join\/assets\/[\w-]+\.js)"/.exec(await (await fetch(`${url}/join`)).text()) ??
    [];
  expect((await fetch(url + script)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: { version } });
  const created = await run(
    'npx',
    [...NPX, 'create', '--title', 'Refunds', '--objective', 'Refund once.', '--requirement', 'req-1: Once.'],
    {
      PARLEY_URL: url,
    },
  );
  const [sessionId = ''] = /\b[\w-]{22}\b/.exec(created) ?? [];
  const invited = await run('npx', [...NPX, 'invite', sessionId, '--role', 'agent_a'], { PARLEY_URL: url });
  expect(invited).toMatch(/pinv_[\w-]{20,}/);
  process.kill(-(serving.child.pid ?? 0), 'SIGTERM');
  await serving.ended;
  expect(serving.out()).toContain('stopped');
});
