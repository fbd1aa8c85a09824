import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { wholeAnswer } from './whole-answer.ts';

const TOKEN = `prt_${'t'.repeat(60)}`;
const SESSION = 's'.repeat(22);
const REDEEMED = { token: TOKEN, session_id: SESSION, role: 'agent_a', expires_at: '2026-11-29T12:00:00.000Z' };
const STATE = { ...wholeAnswer('read_session_state'), session_id: SESSION, your_role: 'agent_a', status: 'ENDED' };

/** A server that redeems every code, invites, and has a session that has ended. `seen` has the secrets that it got. */
async function server(members: object = {}) {
  const seen: string[] = [];
  const listening = createServer((request, response) => {
    if (request.headers.authorization) seen.push(request.headers.authorization);
    const result = { jsonrpc: '2.0', id: 1, result: { structuredContent: STATE } };
    response.end(JSON.stringify({ ...REDEEMED, code: 'pinv_x', ...result, ...members }));
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => void listening.close());
  const address = listening.address();
  return { seen, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
}

/** Runs a command. Stdin contains an invitation code, or what Claude Code passes to a hook. */
async function run(environment: Record<string, string>, args: readonly string[]) {
  const stdin = args[0] === 'hook' ? '{"hook_event_name":"Stop"}' : 'pinv_x\n';
  const terminal = {
    ...fakeTerminal({ PATH: process.env.PATH ?? '', ...environment }, 10_000),
    input: async () => stdin,
  };
  const exit = await runCli(args, terminal);
  return { exit, out: terminal.output(), err: terminal.errors() };
}

/** The home folder of a user who has stored a token of `url`, by `connect` or by `run`. */
async function homeWithToken(url: string, storedBy: 'connect' | 'run'): Promise<string> {
  const [HOME, folder] = [await newFolder(), await newFolder()];
  const line = storedBy === 'connect' ? ['connect', '--for', 'curl', '--write'] : ['run', '--code'];
  expect((await run({ HOME, PARLEY_URL: url }, [...line, '--folder', folder])).exit).toBe(EXIT.OK);
  return HOME;
}

const AGENT = [['wait'], ['hook']] as const;

test.each([...AGENT.map((line) => [line, 'connect'] as const), ...AGENT.map((line) => [line, 'run'] as const)])(
  '%j sends the token that %s has stored to no other address that the environment names',
  async (line, storedBy) => {
    const [own, other] = [await server(), await server()];
    const HOME = await homeWithToken(own.url, storedBy);
    const stranger = await run({ HOME, PARLEY_TOKEN: TOKEN, PARLEY_URL: other.url }, line);
    expect(other.seen).toEqual([]);
    expect(`${stranger.out}${stranger.err}`).toContain(
      `PARLEY_URL is ${other.url}, but this token is for ${own.url}, so it is not sent. Settings in the repository, such as .claude/settings.json, can set PARLEY_URL. If the server has moved, give --url ${other.url}.`,
    );
    for (const PARLEY_URL of ['', own.url, `${own.url}/api/public/mcp`])
      await run({ HOME, PARLEY_TOKEN: TOKEN, PARLEY_URL }, line);
    expect(new Set(own.seen)).toEqual(new Set([`Bearer ${TOKEN}`]));
    await run({ HOME, PARLEY_TOKEN: TOKEN, PARLEY_URL: own.url }, [...line, '--url', other.url]);
    expect(other.seen).toContain(`Bearer ${TOKEN}`);
  },
);

test.each([' ', '\n', '\r\n'])(
  'a stored token that ends with %j here or there is sent to no other address',
  async (end) => {
    const [own, other] = [await server(), await server()];
    const HOME = await homeWithToken(own.url, 'connect');
    const stored = join(HOME, '.config/parley', `${SESSION}.agent_a.env`);
    const asStored = await readFile(stored, 'utf8');
    for (const [here, there] of [
      [end, ''],
      ['', end],
    ]) {
      await writeFile(stored, asStored.replace(TOKEN, `${TOKEN}${there}`));
      const { err } = await run({ HOME, PARLEY_TOKEN: `${TOKEN}${here}`, PARLEY_URL: other.url }, ['wait']);
      expect(err).toContain(`PARLEY_URL is ${other.url}, but this token is for ${own.url}, so it is not sent.`);
    }
    expect(other.seen).toEqual([]);
  },
);

test('the token of a token file is replaced in answers, also if a blank follows it', async () => {
  const { url } = await server({
    result: { isError: true, structuredContent: { error: 'NO', message: `It is ${TOKEN}` } },
  });
  const file = join(await newFolder(), 'token.env');
  await writeFile(file, `export PARLEY_TOKEN='${TOKEN} ' \nexport PARLEY_URL=${url}\n`);
  expect((await run({}, ['wait', '--timeout', '1', '--token-file', file])).err).toContain('It is ***');
});

test('the hooks that connect writes name the address, and replace those that name none', async () => {
  const [own, other] = [await server(), await server()];
  const [HOME, folder] = [await newFolder(), await newFolder()];
  const file = join(folder, '.claude/settings.local.json');
  const former = { hooks: [{ type: 'command', command: '/usr/bin/node /opt/parley/bin/parley.js hook' }] };
  await mkdir(join(folder, '.claude'));
  await writeFile(file, JSON.stringify({ hooks: { Stop: [former] } }));
  const line = ['connect', '--for', 'claude-code', '--write', '--hooks', '--folder', folder, '--url'];
  for (const { url } of [other, own]) expect((await run({ HOME }, [...line, url])).exit).toBe(EXIT.OK);
  const { Stop, SessionStart } = JSON.parse(await readFile(file, 'utf8')).hooks;
  const command = `/usr/bin/node /opt/parley/bin/parley.js hook --url ${own.url}`;
  expect([Stop, SessionStart]).toMatchObject([[{ hooks: [{ command }] }], [{ hooks: [{ command }] }]]);
});

const ELSEWHERE = 'https://evil.example/api/public';

test('connect and run store the address that the user gave, and connect shows the one that the server names', async () => {
  const { url } = await server({ base_url: `${ELSEWHERE}/agent`, mcp_url: `${ELSEWHERE}/mcp` });
  const [HOME, folder] = [await newFolder(), await newFolder()];
  const line = ['connect', '--for', 'claude-code', '--folder', folder];
  const written = await run({ HOME, PARLEY_URL: url }, [...line, '--write']);
  expect(written.exit).toBe(EXIT.OK);
  expect(written.out).toContain(
    'The server says that agents reach it at https://evil.example. It is not used, because you gave another address. If you trust it, next time give: --url https://evil.example\n',
  );
  await run({ HOME, PARLEY_URL: url }, ['run', '--code', '--folder', folder]);
  const runs = join(HOME, '.config/parley/runs');
  const stored = await Promise.all([
    readFile(join(folder, '.mcp.json'), 'utf8'),
    readFile(join(HOME, '.config/parley', `${SESSION}.agent_a.env`), 'utf8'),
    readFile(join(runs, (await readdir(runs))[0] ?? '', 'seat.json'), 'utf8'),
  ]);
  for (const text of stored) expect(text.match(/https?:\/\/[\w.:-]+/g)).toEqual([url]);
  expect(JSON.parse((await run({ HOME, PARLEY_URL: url }, [...line, '--json'])).out)).toMatchObject({
    mcp_url: `${url}/api/public/mcp`,
    session_url: `${url}/api/public/agent/sessions/${SESSION}`,
    address_by_server: 'https://evil.example',
  });
});

test('invite says that the address in the text for the agent is that of the server', async () => {
  const { url } = await server({ base_url: `${ELSEWHERE}/agent` });
  const environment = { PARLEY_URL: url, PARLEY_OWNER_KEY: 'k'.repeat(43) };
  const { out } = await run(environment, ['invite', SESSION, '--role', 'agent_a']);
  expect(out).toContain(
    'The address https://evil.example is what the server says. You reach the server at another one: pass it on only if you know it.\n',
  );
  expect(out).toContain('  Without that tool: POST https://evil.example/api/public/agent/invitations/redeem');
});

test.each(['javascript:alert(1)', 'https://a b', 'https://x.example/$(touch x)', 'no address'])(
  'invite takes %j for no address',
  async (base_url) => {
    const { url } = await server({ base_url });
    const environment = { PARLEY_URL: url, PARLEY_OWNER_KEY: 'k'.repeat(43) };
    const { exit, out } = await run(environment, ['invite', SESSION, '--role', 'agent_a']);
    expect({ exit, out }).toEqual({
      exit: EXIT.OK,
      out: expect.stringContaining(`  Without that tool: POST ${url}/api/`),
    });
  },
);

test('invite refuses an address that is a number', async () => {
  const { url } = await server({ base_url: 7 });
  const environment = { PARLEY_URL: url, PARLEY_OWNER_KEY: 'k'.repeat(43) };
  expect(await run(environment, ['invite', SESSION, '--role', 'agent_a'])).toEqual({
    exit: EXIT.REFUSED,
    out: '',
    err: expect.stringContaining('The answer to invite is not as expected: its member base_url is missing'),
  });
});
