import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { AS_OWNER, ask } from '../ask.ts';
import { startCli } from '../child.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, SESSION } from '../running-app.ts';

const databaseUrl = inject('databaseUrl');

/** Secrets that look like codes, so that no rule about the form of a code keeps them out. */
const OIDC_SECRET = 'OidcSecretS3cret0ne';
const SESSION_TOKEN = 'StoreTokenS3cretTwo';
const SECRET_KEY = 'StoreKeyS3cretThree';
const PASSWORD = 'DatabaseS3cret4';
const WEBHOOK_SECRET = `whsec_${Buffer.from('WebhookS3cretFive-1234567890').toString('base64')}`;

const SECRETS = [OIDC_SECRET, SESSION_TOKEN, SECRET_KEY, PASSWORD, WEBHOOK_SECRET, WEBHOOK_SECRET.slice(6)];

const expectNone = (where: string, said: string): void =>
  expect({ where, found: SECRETS.filter((secret) => said.includes(secret)), said }).toMatchObject({ where, found: [] });

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const everything = async (request: IncomingMessage): Promise<string> =>
  `${JSON.stringify(request.headers)} ${await text(request)}`;

/** A provider, a store and a receiver in one, which refuses each request and repeats it in its refusal. */
async function openEcho(): Promise<string> {
  const server = createServer(async (request, response) => {
    const issuer = `http://${request.headers.host}`;
    if (request.url?.endsWith('openid-configuration')) {
      const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, ...endpoints, jwks_uri: `${issuer}/keys` }));
      return;
    }
    const sent = await everything(request);
    const { client_secret: secret = '' } = Object.fromEntries(new URLSearchParams(sent.slice(sent.indexOf('} ') + 2)));
    const token = String(request.headers['x-amz-security-token'] ?? '');
    response.statusCode = 401;
    response.setHeader('content-type', token ? 'application/xml' : 'application/json');
    const xml = `<Error><Code>${token}</Code><Message>${sent}</Message></Error>`;
    response.end(token ? xml : JSON.stringify({ error: secret, error_description: sent }));
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A database that asks for the password and repeats it in its refusal, but passes everything on to `behind` before `refuse`. */
async function openEchoDatabase(behind?: string) {
  const sockets = new Set<Socket>();
  let target = behind === undefined ? undefined : new URL(behind);
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (target) {
      const far = connect(Number(target.port), target.hostname).on('error', () => undefined);
      sockets.add(far);
      socket.pipe(far).pipe(socket);
      return;
    }
    socket.once('data', () => {
      // AuthenticationCleartextPassword
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      socket.once('data', (sent) => {
        const fields = `SFATAL\0VFATAL\0C28P01\0Mwrong: ${sent.toString('latin1', 5, sent.length - 1)}\0\0`;
        const head = Buffer.alloc(5, 'E');
        head.writeInt32BE(fields.length + 4, 1);
        socket.end(Buffer.concat([head, Buffer.from(fields, 'latin1')]));
      });
    });
  });
  const port = await listening(server);
  const refuse = (): void => {
    target = undefined;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(refuse);
  const url = behind ?? 'postgres://ada@none/parley';
  return { refuse, url: Object.assign(new URL(url), { hostname: '127.0.0.1', port, password: PASSWORD }).href };
}

/** Addresses at which a request fails in other ways than by a refusal. */
const refusedAt = async (): Promise<string> => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
};
const plainAtTls = async (): Promise<string> => (await openEcho()).replace('http:', 'https:');

describe.each([
  ['refuses with what it was sent', openEcho],
  ['cannot be reached', refusedAt],
  ['speaks no TLS', plainAtTls],
])('a service behind Parley that %s learns no secret to', (_how, open) => {
  test('the output of the server, a page, an agent or the audit', async () => {
    const other = await open();
    const child = startCli(['serve'], {
      PORT: '0',
      PARLEY_DATA: await newFolder(),
      PARLEY_OWNER_KEY: KEY,
      PARLEY_PUBLIC_URL: 'http://parley.example',
      PARLEY_OIDC_ISSUER: other,
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_CLIENT_SECRET: OIDC_SECRET,
      PARLEY_OIDC_ROLES: 'approvers=approver',
      PARLEY_WEBHOOK_URL: `${other}/hook`,
      PARLEY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    });
    const [, url = ''] = await child.says(/listening on (\S+)/);
    const post = (path: string, body: object, headers: Record<string, string>) =>
      ask(url, path, { method: 'POST', body, headers });
    const { session_id: id } = (await post('/owner/api/sessions', SESSION, AS_OWNER)).json;
    const { code } = (await post(`/owner/api/sessions/${id}/invite`, { role: 'agent_a' }, AS_OWNER)).json;
    await post(`/owner/api/sessions/${id}/start`, {}, AS_OWNER);
    const { token } = (await post('/api/public/agent/invitations/redeem', { code }, {})).json;
    const questions = [{ text: 'Which port?', to: 'owner', blocking: true }];
    const route = `/api/public/agent/sessions/${id}/turns`;
    const turn = await post(route, { summary: 'A start.', questions }, { authorization: `Bearer ${token}` });
    await expect.poll(child.err).toContain('a notice was not delivered');

    const page = { 'sec-fetch-site': 'same-origin', origin: 'http://parley.example' };
    const begun = await post('/owner/api/sign-in/company', {}, page);
    const state = new URL(String(begun.json.authorization_url ?? other)).searchParams.get('state');
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const ended = await ask(url, `/owner/sign-in/callback?code=1&state=${state}`, { headers: { cookie } });
    await expect.poll(child.err).toContain('a sign-in with the OpenID provider failed');
    const audit = await ask(url, '/owner/api/audit', { headers: AS_OWNER });
    for (const { text: said } of [turn, begun, ended, audit]) expectNone('an answer', said);
    child.process.kill('SIGTERM');
    await child.ended;
    expectNone('what the server printed', child.out() + child.err());
  });

  test('the output of a command', async () => {
    const terminal = fakeTerminal({
      AWS_ENDPOINT_URL_S3: await open(),
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_SESSION_TOKEN: SESSION_TOKEN,
    });
    const folder = await newFolder();
    const args = ['retain', '--check', '--retain-days', '1', '--retain-to', 's3://bucket/parley', '--data', folder];
    expect(await runCli(args, terminal)).not.toBe(0);
    expect(terminal.errors()).not.toBe('');
    expectNone('the output', terminal.output() + terminal.errors());
  });
});

test.each(['serve', 'migrate status', 'doctor', 'retain --dry-run'])(
  'parley %s prints no password that the database repeats',
  async (command) => {
    const { url } = await openEchoDatabase();
    const terminal = fakeTerminal({
      DATABASE_URL: url,
      PARLEY_OWNER_KEY: KEY,
      PARLEY_RETAIN_DAYS: '1',
      PARLEY_RETAIN_TO: await newFolder(),
    });
    expect(await runCli(command.split(' '), terminal)).not.toBe(0);
    const said = terminal.output() + terminal.errors();
    expect(said).toContain('wrong:');
    expectNone('the output', said);
  },
);

test.skipIf(databaseUrl === null)('a running server logs no password that the database repeats', async () => {
  const database = await openEchoDatabase(databaseUrl ?? '');
  const environment = { PORT: '0', DATABASE_URL: database.url, PARLEY_OWNER_KEY: KEY, PARLEY_DATA: await newFolder() };
  const child = startCli(['serve'], environment);
  const [, url = ''] = await child.says(/listening on (\S+)/);
  database.refuse();
  await expect.poll(async () => (await ask(url, '/readyz')).status).toBe(503);
  const answer = await ask(url, '/owner/api/sessions', { headers: AS_OWNER });
  expect(answer.status).toBe(503);
  await expect.poll(child.err).toContain('wrong: ');
  child.process.kill('SIGTERM');
  await child.ended;
  expectNone('an answer', answer.text);
  expectNone('what the server printed', child.out() + child.err());
});
