import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../../../test/support/exchange.ts';
import { runCli } from '../../src/cli/program.ts';
import { noteServerTime, serverNow } from '../../src/text/time.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../running-app.ts';

/** Serves the answers of another server as one whose clock is `aheadMs` ahead. */
async function startAhead(target: string, aheadMs: number): Promise<string> {
  const relay = createServer(async (request, response) => {
    const headers = { authorization: String(request.headers.authorization) };
    const answer = await fetch(`${target}${request.url}`, { headers });
    response.writeHead(answer.status, { date: new Date(Date.now() + aheadMs).toUTCString() });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    relay.close();
    noteServerTime({ headers: new Headers({ date: new Date().toUTCString() }) });
  });
  return `http://127.0.0.1:${Object(relay.address()).port}`;
}

test('ages are counted by the clock of the server', async () => {
  const { url } = await runApp();
  await ask(url, '/owner/api/sessions', { headers: { Authorization: `Bearer ${KEY}` }, body: JSON.stringify(SESSION) });
  const sessionsAt = async (address: string): Promise<string> => {
    const terminal = fakeTerminal({ PARLEY_URL: address, PARLEY_OWNER_KEY: KEY });
    await runCli(['sessions'], terminal);
    return terminal.output();
  };
  expect(await sessionsAt(url)).not.toMatch(/\b3 h/);
  expect(await sessionsAt(await startAhead(url, 3 * 3_600_000 + 60_000))).toMatch(/\b3 h/);
});

test('a difference of a few seconds, and an answer without a time, change nothing', () => {
  noteServerTime({ headers: new Headers({ date: new Date(Date.now() + 4_000).toUTCString() }) });
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(1_000);
  noteServerTime({ headers: new Headers({ date: new Date(Date.now() - 7_200_000).toUTCString() }) });
  noteServerTime({ headers: new Headers() });
  expect(Date.now() - serverNow()).toBeGreaterThan(7_190_000);
  noteServerTime({ headers: new Headers({ date: new Date().toUTCString() }) });
});
