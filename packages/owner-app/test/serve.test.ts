import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask, createSessionAs, seatAgent } from './ask.ts';
import { startCli } from './child.ts';
import { newFolder } from './new-folder.ts';
import { KEY, OTHER_KEY } from './running-app.ts';

const LISTENING = /^parley listening on (http:\/\/127\.0\.0\.1:\d+)$/m;

async function serveIn(folder: string, environment: Record<string, string> = {}) {
  const child = startCli(['serve'], { PORT: '0', PARLEY_DATA: folder, ...environment });
  const [, url = ''] = await child.says(LISTENING);
  return { child, url };
}

const template = join(tmpdir(), `parley-template-${process.pid}`);

/** An initialised data folder: copying one is faster than making one. */
async function newDataFolder(): Promise<string> {
  if (!existsSync(template)) {
    const { child } = await serveIn(template, { PARLEY_OWNER_KEY: KEY });
    child.process.kill('SIGTERM');
    await child.ended;
  }
  const folder = join(await newFolder(), 'data');
  await cp(template, folder, { recursive: true });
  return folder;
}

afterAll(() => rm(template, { recursive: true, force: true }));

describe('parley serve', () => {
  test('makes the owner key on its first start, shows it once, and keeps the sessions', async () => {
    const folder = join(await newFolder(), 'data');
    const first = await serveIn(folder);
    const [, key = ''] = await first.child.says(/^ {2}key {6}(pok_[A-Za-z0-9_-]{43})$/m);
    await first.child.says(/parley create --file session\.json/);
    expect((await stat(join(folder, 'owner-key'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'owner-key.json'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'owner-key.json'), 'utf8')).not.toContain(key.slice(4));
    const id = await createSessionAs(key, first.url);
    first.child.process.kill('SIGINT');
    expect(await first.child.ended).toBe(0);
    expect(first.child.err()).not.toContain(key.slice(4));

    const second = await serveIn(folder);
    await second.child.says(/as made on the first start/);
    expect(second.child.out()).not.toContain(key);
    const listed = await ask(second.url, '/owner/api/sessions', { headers: { authorization: `Bearer ${key}` } });
    expect(listed.json.sessions).toMatchObject([{ session_id: id }]);
    expect(
      (await ask(second.url, '/owner/api/sessions', { headers: { authorization: `Bearer ${OTHER_KEY}` } })).status,
    ).toBe(401);

    const third = startCli(['serve'], { PORT: '0', PARLEY_DATA: folder });
    expect(await third.ended).toBe(1);
    expect(third.err()).toMatch(/^parley: .*in use/m);
  });

  test('exits with a clear line when the claim on its folder is gone', async () => {
    const folder = await newDataFolder();
    const { child, url } = await serveIn(folder, { PARLEY_OWNER_KEY: KEY });
    expect((await ask(url, '/healthz')).status).toBe(200);
    for (const name of await readdir(join(folder, 'pg')))
      if (name.startsWith('lock-')) await rm(join(folder, 'pg', name));
    expect(await child.ended).toBe(1);
    expect(child.err()).toContain(
      '"reason":"The database folder was taken by another process, or its lock file is gone.',
    );
  });

  test('answers held polls and ends streams on SIGTERM, refuses what is new, and exits 0', async () => {
    const { child, url } = await serveIn(await newDataFolder(), { PARLEY_OWNER_KEY: KEY });
    const id = await createSessionAs(KEY, url);
    const token = await seatAgent(url, id, 'agent_b');
    const owner = { authorization: `Bearer ${KEY}` };
    const stream = await fetch(`${url}/owner/api/sessions/${id}/events`, { headers: owner });
    const poll = get(`${url}/api/public/agent/sessions/${id}/state?wait=25`, {
      headers: { authorization: `Bearer ${token}` },
      agent: false,
    });
    const answered = once(poll, 'response');
    await once(poll, 'finish');
    // Its bytes are on their way before these, so the server has read them.
    expect((await ask(url, '/readyz')).status).toBe(200);
    const start = performance.now();
    child.process.kill('SIGTERM');
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    expect(await json(response)).toMatchObject({ session_id: id, status: 'DRAFT' });
    expect(await stream.text()).toContain('id: 1\n');
    expect(await child.ended).toBe(0);
    expect(performance.now() - start).toBeLessThan(5_000);
    await expect(ask(url, '/healthz')).rejects.toThrow();
    const lines = child
      .err()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
    expect(
      lines
        .filter(({ msg }) => msg === 'request')
        .every(({ request_id, ms }) => /^[0-9a-f]{32}$/.test(request_id) && ms >= 0),
    ).toBe(true);
  });

  test('serves on while it drains, says so to whoever asks, and tells on its metrics port to the end', async () => {
    const environment = { PARLEY_OWNER_KEY: KEY, PARLEY_DRAIN_SECONDS: '2', PARLEY_METRICS_PORT: '0' };
    const { child, url } = await serveIn(await newDataFolder(), environment);
    const [, metricsUrl = ''] = await child.says(/^parley metrics on (http:\/\/127\.0\.0\.1:\d+)\/metrics$/m);
    expect((await ask(url, '/readyz')).status).toBe(200);
    child.process.kill('SIGTERM');
    await expect.poll(async () => (await ask(url, '/readyz')).json).toEqual({ ok: false, reason: 'draining' });
    expect((await ask(metricsUrl, '/readyz')).json).toEqual({ ok: false, reason: 'draining' });
    expect((await ask(url, '/healthz')).status).toBe(200);
    expect((await ask(url, '/owner/api/sessions', { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200);
    expect((await ask(metricsUrl, '/metrics')).text).toContain('parley_held_polls 0\n');
    expect(await child.ended).toBe(0);
    await expect(ask(metricsUrl, '/readyz')).rejects.toThrow();
  });

  test('takes signals within a second for one, and stops at once at the next', async () => {
    const { child, url } = await serveIn(await newDataFolder(), { PARLEY_OWNER_KEY: KEY });
    const { port } = new URL(url);
    const slow = connect(Number(port), '127.0.0.1');
    slow.on('error', () => undefined);
    const head = 'POST /api/public/agent/invitations/redeem HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n';
    slow.write(`${head}content-length: 100\r\n\r\n`);
    await once(slow, 'data');
    slow.write('{');
    child.process.kill('SIGTERM');
    child.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(143);
    slow.destroy();
  });

  test('does not start with a wrong setting, and says in one line what would be right', async () => {
    const child = startCli(['serve', '--port', 'eighty'], { PARLEY_DATA: '/nowhere' });
    expect(await child.ended).toBe(2);
    expect(child.out()).toBe('');
    expect(child.err()).toBe('parley: PORT (--port) is "eighty"; expected a whole number from 0 to 65535\n');
  });

  test('does not start without its database, and repeats no password', async () => {
    const DATABASE_URL = 'postgres://parley:hunter2@127.0.0.1:1/parley';
    const child = startCli(['serve'], { PORT: '0', PARLEY_OWNER_KEY: KEY, DATABASE_URL });
    expect(await child.ended).toBe(1);
    expect(child.err()).toMatch(/^parley: The database cannot be reached: .*\n$/);
    expect(child.err()).not.toContain('hunter2');
  });

  test('does not start on a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const child = startCli(['serve', '--port', String(port)], {
      PARLEY_DATA: await newDataFolder(),
      PARLEY_OWNER_KEY: KEY,
    });
    expect(await child.ended).toBe(1);
    expect(child.err()).toContain(`parley: port ${port} on 127.0.0.1 is taken; choose another with --port or PORT`);
  });
});

describe('the parley command', () => {
  test('is a process with output, errors and exit code where they belong', async () => {
    const refused = startCli(['sessions'], { PARLEY_URL: 'http://127.0.0.1:1', PARLEY_OWNER_KEY: KEY });
    expect(await refused.ended).toBe(3);
    expect(refused.out()).toBe('');
    expect(refused.err()).toMatch(/^parley: No server answers at/);
    const help = startCli(['--help']);
    expect(await help.ended).toBe(0);
    expect(help.out()).toContain('Exit codes:');
    expect(help.err()).toBe('');
  });
});
