import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { relay } from '../../src/cli/mcp/bridge.ts';
import { serveStdio } from '../../src/cli/mcp/mcp.ts';
import { MAIN } from '../child.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { listen } from '../listen.ts';
import { joinedAgents, turn } from './joined.ts';

interface MachineOptions {
  /** The value of `--url`. */
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder of an agent, and a HOME, both empty, with clients that have the command in this process. */
async function machine({ url, env = {} }: MachineOptions = {}) {
  const { folder, home } = await emptyPlace();
  async function connect() {
    const client = new Client({ name: 'test', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const input = new PassThrough();
    const sent: string[] = [];
    far.onmessage = (message) => void input.write(`${JSON.stringify(message)}\n`);
    far.onclose = () => void input.end();
    const send = (text: string): void => {
      sent.push(text);
      void far.send(JSON.parse(text));
    };
    const flags = { folder, ...(url !== undefined && { url }) };
    const serving = serveStdio(fakeTerminal({ HOME: home, ...env }), flags, { input, send });
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    await client.connect(near);
    onTestFinished(() => client.close().then(() => serving));
    /** Writes a line from now on, and the messages that the client gets after it. */
    const raw = () => {
      const from = sent.length;
      return { lines: () => sent.slice(from), write: (line: string) => void input.write(`${line}\n`) };
    };
    return { client, changes: () => changes, raw };
  }
  return { folder, home, connect };
}

async function emptyPlace() {
  const place = await mkdtemp(join(tmpdir(), 'parley-mcp-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  return { folder: await mkdtemp(join(place, 'folder-')), home: await mkdtemp(join(place, 'home-')) };
}

/** The command line of the command in a process of its own, whose files may have this many blocks of 512 bytes. */
async function ownProcess({ flags = [] as readonly string[], mostBlocks = 'unlimited' } = {}) {
  const { folder, home } = await emptyPlace();
  const words = ['-c', `ulimit -f ${mostBlocks}; exec "$@"`, 'sh', process.execPath, MAIN, 'mcp', ...flags];
  const server = { command: '/bin/sh', args: words, cwd: folder, env: { HOME: home, PATH: '' } };
  async function connect() {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport(server);
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, transport };
  }
  return { folder, home, server, connect };
}

interface Sent {
  readonly path: string;
  readonly body: string;
  readonly response: ServerResponse;
}

/** A service of the test. `answer` handles each request but those that redeem a code, which get a token. */
async function fakeService(answer: (sent: Sent) => void) {
  const redeemed: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { url: path = '' } = request;
    response.setHeader('content-type', 'application/json');
    if (!path.endsWith('/redeem')) return answer({ path, body, response });
    redeemed.push(body);
    response.end(
      JSON.stringify({
        token: `prt_${'t'.repeat(40)}`,
        session_id: 's'.repeat(22),
        role: 'agent_b',
        expires_at: '2026-01-01T00:00:00Z',
      }),
    );
  });
  return { url: await listen(server), redeemed };
}

const FAKE_CODE = `pinv_${'c'.repeat(60)}`;

const textOf = (result: object): string => JSON.stringify(result);

describe('parley mcp', () => {
  test('joins with the code of the first call, and then has the tools of the session', async () => {
    const session = await joinedAgents();
    const { folder, home, connect } = await ownProcess();
    const { client } = await connect();
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['join']);
    expect(await client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({ isError: true });
    const joined = await client.callTool({
      name: 'join',
      arguments: { code: await session.code('agent_a'), url: session.url },
    });
    expect(joined).toMatchObject({ isError: false, structuredContent: { role: 'agent_a', session_id: session.id } });
    await expect.poll(() => changes).toBe(1);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(48);
    expect(tools.map(({ name }) => name)).not.toContain('join');
    const posted = await client.callTool({ name: 'post_turn', arguments: turn('We retry captures.') });
    expect(posted).toMatchObject({ structuredContent: { turn_index: 0, next_agent: 'agent_b' } });
    expect(await readdir(folder)).toEqual([]);
    const [own = ''] = await readdir(join(home, '.config/parley/runs'));
    const { mode } = await stat(join(home, '.config/parley/runs', own, 'seat.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('goes on with the stored token when it is started again, until the session has ended', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const first = await connect();
    await first.client.callTool({ name: 'join', arguments: { code: await session.code('agent_a'), url: session.url } });
    await first.client.close();
    const second = await connect();
    expect(await second.client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({
      structuredContent: { title: 'Refunds', your_role: 'agent_a' },
    });
    await second.client.close();
    await session.owner().end(session.id, { end_reason: 'CANCELLED' });
    const third = await connect();
    expect((await third.client.listTools()).tools.map(({ name }) => name)).toEqual(['join']);
  });

  test('refuses a text that is no code, and a code that was used, and stays without a token', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const { client } = await connect();
    const code = await session.code('agent_a');
    await session.app().parley.redeem({ code });
    const wrong = await client.callTool({ name: 'join', arguments: { code: 'please', url: session.url } });
    expect(wrong).toMatchObject({ isError: true });
    const used = await client.callTool({ name: 'join', arguments: { code, url: session.url } });
    expect(used).toMatchObject({ isError: true });
    expect(textOf(used)).not.toContain(code);
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test('passes every byte of a message and of its answer on', async () => {
    const bodies: string[] = [];
    const answer = '{"jsonrpc":"2.0","id":7,"result":{"text":"a\\u2028\u2028 \\ud800 1e400","n":12345678901234567890}}';
    const { url } = await fakeService(({ body, response }) => {
      bodies.push(body);
      response.end(answer);
    });
    const { connect } = await machine();
    const { client, raw } = await connect();
    await client.callTool({ name: 'join', arguments: { code: FAKE_CODE, url } });
    const { lines, write } = raw();
    const line = '{"id":7, "jsonrpc":"2.0","method":"x/y","params":{"n":1.0e1,"s":"\u2028é\\u00e9"}}';
    write(line);
    await expect.poll(lines).toEqual([answer]);
    expect(bodies).toEqual([line]);
  });

  test.each([
    '{"hello":1}',
    '"text"',
    '[]',
    '[1]',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":7,"result":{}} {',
    'null',
  ])('an answer that is no message of JSON-RPC, %s, does not reach the client', async (body) => {
    const { url } = await fakeService(({ response }) => void response.end(body));
    const { connect } = await machine();
    const { client, raw } = await connect();
    await client.callTool({ name: 'join', arguments: { code: FAKE_CODE, url } });
    const { lines, write } = raw();
    write('{"jsonrpc":"2.0","id":7,"method":"x/y"}');
    const message = `${url} does not answer as a Parley service does (HTTP 200). Tell your user.`;
    await expect.poll(lines).toEqual([JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code: -32_000, message } })]);
  });

  test('ends the request of a call that the client cancels, and answers nothing to it', async () => {
    const ended: string[] = [];
    const begun: string[] = [];
    const { url } = await fakeService(({ body, response }) => {
      const { method } = JSON.parse(body);
      begun.push(method);
      if (method !== 'x/hang') return void response.writeHead(202).end();
      response.on('close', () => ended.push(method));
    });
    const { connect } = await machine();
    const { client, raw } = await connect();
    await client.callTool({ name: 'join', arguments: { code: FAKE_CODE, url } });
    const { lines, write } = raw();
    write('{"jsonrpc":"2.0","id":7,"method":"x/hang"}');
    await expect.poll(() => begun).toEqual(['x/hang']);
    write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
    await expect.poll(() => ended).toEqual(['x/hang']);
    await expect.poll(() => begun).toEqual(['x/hang', 'notifications/cancelled']);
    expect(lines()).toEqual([]);
  });

  test('answers initialize while the service is away, and a call when it is back', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const first = await connect();
    await first.client.callTool({ name: 'join', arguments: { code: await session.code('agent_b'), url: session.url } });
    await first.client.close();
    await session.stop();
    // The five seconds that the service has for its answer.
    const { timeout } = AbortSignal;
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 5_000 ? 50 : ms));
    onTestFinished(() => limit.mockRestore());
    const { client } = await connect();
    expect(client.getInstructions()).toContain(`No service answers at ${session.url}`);
    const tools = client.listTools();
    await session.start();
    expect((await tools).tools).toHaveLength(48);
  });

  test.each([
    ['cannot be made', () => machine()],
    ['does not fit on the disk', () => ownProcess({ mostBlocks: '0' })],
  ])('a code stays unused when the file of the token %s', async (what, place) => {
    const session = await joinedAgents();
    const { home, connect } = await place();
    if (what === 'cannot be made') await writeFile(join(home, '.config'), '');
    const { client } = await connect();
    const code = await session.code('agent_b');
    const refused = await client.callTool({ name: 'join', arguments: { code, url: session.url } });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('The invitation code was not used.');
    expect((await session.app().parley.redeem({ code })).role).toBe('agent_b');
  });

  test('sends a code to no address but that of the call or of --url, whatever PARLEY_URL is', async () => {
    const hostile = await fakeService(({ response }) => void response.end('{}'));
    const session = await joinedAgents();
    const unnamed = await (await machine({ env: { PARLEY_URL: hostile.url } })).connect();
    const refused = await unnamed.client.callTool({ name: 'join', arguments: { code: FAKE_CODE } });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('Give the address of the service as url');
    expect((await unnamed.client.listTools()).tools[0]?.inputSchema.required).toEqual(['code', 'url']);

    const named = await (await machine({ env: { PARLEY_URL: hostile.url }, url: session.url })).connect();
    expect((await named.client.listTools()).tools[0]?.inputSchema.required).toEqual(['code']);
    const joined = await named.client.callTool({ name: 'join', arguments: { code: await session.code('agent_b') } });
    expect(joined).toMatchObject({ isError: false, structuredContent: { role: 'agent_b' } });
    expect(hostile.redeemed).toEqual([]);
  });

  test('sends a code to no address but that of --url, if it is given, and says what to do', async () => {
    const other = await fakeService(({ response }) => void response.end('{}'));
    const session = await joinedAgents();
    const { client } = await (await machine({ url: `${session.url}/` })).connect();
    const [tool] = (await client.listTools()).tools;
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['code']);
    const code = await session.code('agent_b');
    const refused = await client.callTool({ name: 'join', arguments: { code, url: other.url } });
    expect(refused).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: `This server \`parley\` was added with --url ${session.url} and sends a code to no other address. Leave url out if the code is for ${session.url}; otherwise ask your user to add the server \`parley\` with the other address. The invitation code was not used.`,
        },
      ],
    });
    expect(other.redeemed).toEqual([]);
    const joined = await client.callTool({ name: 'join', arguments: { code, url: session.url } });
    expect(joined).toMatchObject({ isError: false, structuredContent: { role: 'agent_b' } });
  });

  test.each([
    ['a page', '<html>Sign in</html>'],
    ['JSON', '{"error":"login_required"}'],
    ['an answer of another server', '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"Sign in."}}'],
  ])('keeps its token when a proxy refuses a call with 401 and %s', async (_what, page) => {
    let isAway = false;
    const { url } = await fakeService(({ body, response }) => {
      const { id } = JSON.parse(body);
      if (isAway) return void response.writeHead(401).end(page.replace('"id":0', `"id":${id}`));
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } }));
    });
    const { connect } = await machine();
    const first = await connect();
    await first.client.callTool({ name: 'join', arguments: { code: FAKE_CODE, url } });
    isAway = true;
    await expect(first.client.callTool({ name: 'read_task', arguments: {} })).rejects.toThrow();
    const second = await connect();
    isAway = false;
    expect((await first.client.listTools()).tools).toEqual([]);
    expect((await second.client.listTools()).tools).toEqual([]);
  });

  test('takes the token that another client has stored for the folder', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const [first, second] = [await connect(), await connect()];
    const join = async () => ({ code: await session.code('agent_b'), url: session.url });
    await first.client.callTool({ name: 'join', arguments: await join() });
    const late = await second.client.callTool({ name: 'join', arguments: { code: FAKE_CODE, url: session.url } });
    expect(late).toMatchObject({ isError: true });
    expect(textOf(late)).toContain('This folder has joined a session meanwhile');
    expect(await second.client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({ isError: false });

    await session.owner().revoke(session.id, { role: 'agent_b' });
    await expect(first.client.callTool({ name: 'read_task', arguments: {} })).rejects.toThrow();
    await first.client.callTool({ name: 'join', arguments: await join() });
    expect(await second.client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({ isError: false });
    await expect.poll(second.changes).toBe(2);
  });

  test('sends a call again while the service restarts, and a waiting call does not hold others up', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const { client } = await connect();
    await client.callTool({ name: 'join', arguments: { code: await session.code('agent_b'), url: session.url } });
    const waiting = client.callTool({ name: 'wait_for_my_turn', arguments: { wait: 25 } });
    expect(await client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({ isError: false });
    await session.call('agent_a', 'post_turn', turn('Now you.'));
    expect(await waiting).toMatchObject({ structuredContent: { your_turn: true } });
    await session.stop();
    const state = client.callTool({ name: 'read_session_state', arguments: {} });
    await session.start();
    expect(await state).toMatchObject({ structuredContent: { your_turn: true } });
  });

  test('offers join again when the token is revoked', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const { client, changes } = await connect();
    await client.callTool({ name: 'join', arguments: { code: await session.code('agent_b'), url: session.url } });
    await session.owner().revoke(session.id, { role: 'agent_b' });
    await expect(client.callTool({ name: 'read_task', arguments: {} })).rejects.toThrow();
    await expect.poll(changes).toBe(2);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['join']);
    const again = { code: await session.code('agent_b'), url: session.url };
    expect(await client.callTool({ name: 'join', arguments: again })).toMatchObject({ isError: false });
  });

  test('offers join when it starts with a token that was revoked, and takes no other token while it has one', async () => {
    const session = await joinedAgents();
    const { connect } = await machine();
    const first = await connect();
    const join = async () => ({ code: await session.code('agent_b'), url: session.url });
    await first.client.callTool({ name: 'join', arguments: await join() });
    await expect(first.client.callTool({ name: 'join', arguments: await join() })).rejects.toThrow();
    await session.owner().revoke(session.id, { role: 'agent_b' });
    await first.client.close();
    const second = await connect();
    expect((await second.client.listTools()).tools.map(({ name }) => name)).toEqual(['join']);
    expect(await second.client.callTool({ name: 'join', arguments: await join() })).toMatchObject({ isError: false });
  });

  test.each([
    ['unknown', 'STORAGE_UNAVAILABLE', 1],
    ['certain', 'SHUTTING_DOWN', 2],
  ])(
    'a refusal with 503 after which it is %s whether a write was stored: %s, %i request',
    async (_what, error, sent) => {
      let requests = 0;
      const server = createServer((_request, response) => {
        requests += 1;
        const refused = { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'Refused.', data: { error } } };
        const [status, body] = requests === 1 ? [503, refused] : [200, { jsonrpc: '2.0', id: 7, result: {} }];
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      const url = await listen(server);
      const answer = await relay({ url, token: 'prt_x' }, '{"jsonrpc":"2.0","id":7,"method":"x"}');
      expect([answer.status, requests]).toEqual([sent === 1 ? 503 : 200, sent]);
    },
  );

  test('says which folder is missing, such as a variable that an editor without a folder leaves as it is', async () => {
    const { server } = await ownProcess({ flags: ['--folder', `\${workspaceFolder}`] });
    const { status, stdout, stderr } = spawnSync(server.command, server.args, { cwd: server.cwd, env: server.env });
    expect([status, `${stdout}`, `${stderr}`]).toEqual([
      2,
      '',
      `parley: The folder \${workspaceFolder} does not exist. Give the agent's repository with --folder.\n`,
    ]);
  });

  test('speaks with version 2 of the client too', async () => {
    const session = await joinedAgents();
    const { server } = await ownProcess();
    const client = new NewClient({ name: 'test', version: '2' });
    await client.connect(new NewTransport(server));
    onTestFinished(() => client.close());
    await client.callTool({ name: 'join', arguments: { code: await session.code('agent_a'), url: session.url } });
    expect(await client.callTool({ name: 'read_task', arguments: {} })).toMatchObject({ isError: false });
  });

  test('ends with the client that started it', async () => {
    const { connect } = await ownProcess();
    const { client, transport } = await connect();
    const { pid } = transport;
    await client.close();
    await expect.poll(async () => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone')).toBe('gone');
  });
});
