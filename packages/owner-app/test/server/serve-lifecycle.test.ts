import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, createSessionAs } from '../ask.ts';
import { startCli } from '../child.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, OTHER_KEY } from '../running-app.ts';
import { newDataFolder, serveIn } from '../server-process.ts';

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
    await second.child.says(/the key that the first start created/);
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

  test('ends at a signal while it creates the database, with its number in the exit code, and starts again', async () => {
    // The folder is empty, like a volume on the first start of a container.
    const folder = await newFolder();
    const child = startCli(['serve'], { PORT: '0', PARLEY_DATA: folder });
    await expect.poll(child.err).toContain('creating the embedded database');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(143);
    const { url } = await serveIn(folder, { PARLEY_OWNER_KEY: KEY });
    expect((await ask(url, '/readyz')).status).toBe(200);
  });

  test('exits with a clear line when the claim on its folder is gone', async () => {
    const folder = await newDataFolder();
    const { child, url } = await serveIn(folder, { PARLEY_OWNER_KEY: KEY });
    expect((await ask(url, '/healthz')).status).toBe(200);
    for (const name of await readdir(join(folder, 'pg')))
      if (name.startsWith('lock-')) await rm(join(folder, 'pg', name));
    expect(await child.ended).toBe(1);
    expect(child.err()).toContain(
      '"reason":"Another process took over the database folder, or the lock file was deleted. Start the program again.',
    );
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
    expect(child.err()).toContain(
      `parley: another program uses port ${port} on 127.0.0.1; choose another port with --port or PORT`,
    );
  });
});

describe('a program that is imported before the server and listens to beforeExit, such as an exporter of spans', () => {
  async function stopWith(listener: string) {
    const file = join(await newFolder(), 'instrument.mjs');
    await writeFile(file, `process.once('beforeExit', () => ${listener});\n`);
    const { child, url } = await serveIn(await newDataFolder(), { NODE_OPTIONS: `--import=${file}` });
    expect((await ask(url, '/healthz')).status).toBe(200);
    child.process.kill('SIGTERM');
    return { code: await child.ended, err: child.err() };
  }

  test('ends its work before the process ends', async () => {
    const { code, err } = await stopWith(`setTimeout(() => process.stderr.write('exported\\n'), 500)`);
    expect([code, err.includes('exported')]).toEqual([0, true]);
  });

  test('does not keep the process for ever', async () => {
    expect((await stopWith('setInterval(() => undefined, 1000)')).code).toBe(0);
  });
});
