import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { proxyOf } from '../../../src/cli/client/request.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../../running-app.ts';

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, '');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Starts a proxy that leads every host to the service. */
async function openProxy(port: number) {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url, headers }, near) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? 'nobody'}`);
    const far = connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  return { asked, host: `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
}

async function runAt(url: string, ...args: readonly string[]) {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
  return { code: await runCli(args, terminal), out: terminal.output(), err: terminal.errors() };
}

const FAR = 'http://parley.example:4100';

test('a call and a stream go through the proxy of the environment, with its password', async () => {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id } = await owner.createSession(SESSION);
  await owner.start(session_id);
  await owner.end(session_id, { end_reason: 'CANCELLED' });
  const { asked, host } = await openProxy(Number(new URL(url).port));
  vi.stubEnv('HTTP_PROXY', `http://ada:s3cret@${host}`);
  expect((await runAt(FAR, 'sessions')).out).toContain('Refunds');
  const watched = await runAt(FAR, 'watch', session_id);
  expect(watched).toMatchObject({ code: EXIT.OK, err: '' });
  expect(new Set(asked)).toEqual(new Set([`parley.example:4100 Basic ${btoa('ada:s3cret')}`]));
});

test('this machine is reached without the proxy', async () => {
  const { url } = await runApp();
  const { asked, host } = await openProxy(Number(new URL(url).port));
  vi.stubEnv('http_proxy', host);
  expect((await runAt(url, 'sessions')).code).toBe(EXIT.OK);
  expect(asked).toEqual([]);
});

test.each([
  ['', true],
  ['example', false],
  ['.example', false],
  ['*.example', false],
  ['other.example, PARLEY.example', false],
  ['parley.example:4100', false],
  ['parley.example:4101', true],
  ['arley.example', true],
  ['*', false],
])('with NO_PROXY=%s, whether the proxy is used for parley.example:4100 is %s', (listed, isUsed) => {
  vi.stubEnv('HTTP_PROXY', 'proxy.example:3128');
  vi.stubEnv('NO_PROXY', listed);
  const used = { variable: 'HTTP_PROXY', address: 'http://proxy.example:3128' };
  expect(proxyOf(FAR)).toEqual(isUsed ? used : undefined);
});

test.each([
  [
    'a proxy that does not answer',
    'http://ada:s3cret@127.0.0.1:9',
    EXIT.UNREACHABLE,
    'HTTP_PROXY is set: check this proxy, or list the host in NO_PROXY.',
  ],
  [
    'what is no address of a proxy',
    'socks5://ada:s3cret@127.0.0.1:9',
    EXIT.USAGE,
    'parley: HTTP_PROXY is not the address of a proxy; expected an address such as http://proxy.example:3128.',
  ],
  ['an address that cannot be read', 'http://ada:s3cret@:99999', EXIT.USAGE, 'parley: HTTP_PROXY is not the address'],
])('%s is named by its variable, without a part of its password', async (_what, proxy, code, text) => {
  vi.stubEnv('HTTP_PROXY', proxy);
  const { code: found, err } = await runAt(FAR, 'sessions');
  expect(found).toBe(code);
  expect(err).toContain(text);
  expect(err).not.toContain('s3cret');
});
