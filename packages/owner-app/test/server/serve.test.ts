import { once } from 'node:events';
import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ask, createSessionAs, seatAgent } from '../ask.ts';
import { startCli } from '../child.ts';
import { KEY } from '../running-app.ts';
import { newDataFolder, serveIn } from '../server-process.ts';

describe('parley serve', () => {
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
    // The poll was sent before this request, so the server has read the poll when this request is answered.
    expect((await ask(url, '/readyz')).status).toBe(200);
    child.process.kill('SIGTERM');
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    expect(await json(response)).toMatchObject({ session_id: id, status: 'DRAFT' });
    expect(await stream.text()).toContain('id: 1\n');
    expect(await child.ended).toBe(0);
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

  test('does not start with a wrong setting, and says in one line what would be right', async () => {
    const child = startCli(['serve', '--port', 'eighty'], { PARLEY_DATA: '/nowhere' });
    expect(await child.ended).toBe(2);
    expect(child.out()).toBe('');
    expect(child.err()).toBe('parley: PORT (--port) is "eighty"; expected a whole number from 0 to 65535\n');
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
