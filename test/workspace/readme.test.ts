import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@parley/owner-app';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointOfJson, readTaskAt } from './support/client-settings.ts';
import { createNewcomer } from './support/newcomer.ts';
import { runLines } from './support/owner-terminal.ts';
import { fillIn, type RunningService, runService } from './support/running-service.ts';
import { snippetsOf, snippetUnder } from './support/snippets.ts';

const EMBEDDED = '1. Embedded in your own owner app';
const REST = '2. As a hosted REST service';
const MCP = '3. As an MCP service';
const UNIT_TESTS = '4. In unit tests';

/** One block starts vitest and another a bundler, which takes long on a busy machine. */
const SLOW_MS = 60_000;

const snippets = [...snippetsOf('README.md'), ...snippetsOf('docs/service.md')];
const block = (heading: string, language: string, place?: number) => snippetUnder(snippets, heading, language, place);
// Replaces npm by a script that prints its environment, because the service is already running.
const newcomer = createNewcomer({ npm: '[ "$*" = start ] && env' });
const manifest: { readonly name: string } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
let service: RunningService;

beforeAll(async () => {
  service = await runService();
});

afterAll(async () => {
  newcomer.leave();
  await service.close();
});

test('the first command is that of the package to run', () => {
  expect(block('Sixty seconds', 'sh')).toBe(`npx -y ${manifest.name} demo\n`);
});

test('the README has less than 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThan(150);
});

describe('the first five minutes', () => {
  const FIRST = 'Five minutes';

  test('have these blocks, and no other', () => {
    const first = snippets.filter(({ heading }) => heading === FIRST);
    expect(first.map(({ code }) => code.split('\n')[0])).toEqual([
      'npm start',
      'npx parley demo --moderator',
      'npx parley create --template > session.json',
      'npx parley invite <session_id> --role agent_a',
      'npx parley connect --for claude-code --write --folder ../shop',
    ]);
  });

  test('end with two agents that are connected', async () => {
    const environment = { PARLEY_URL: service.url, PARLEY_OWNER_KEY: service.ownerKey, HOME: newcomer.folder };
    const run = (text: string, stdin: readonly string[] = []) =>
      runLines(text, newcomer.folder, { environment, stdin });
    const [, created] = await run(block(FIRST, 'sh', 2));
    const sessionId = /\b\w{22}\b/.exec(created?.output ?? '')?.[0] ?? '';
    const invited = await run(block(FIRST, 'sh', 3).replaceAll('<session_id>', sessionId));
    const codes = invited.flatMap(({ output }) => /pinv_\w+/.exec(output)?.[0] ?? []);
    for (const name of ['shop', 'bank']) mkdirSync(join(newcomer.folder, name));
    const connecting = block(FIRST, 'sh', 4).replaceAll('../', `${newcomer.folder}/`);
    const connected = await run(connecting, codes);
    expect([...invited, ...connected].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const { state, access } = await service.owner.view(sessionId);
    expect(state.status).toBe('ACTIVE');
    expect(access.filter(({ token }) => token !== null).map(({ role }) => role)).toEqual(['agent_a', 'agent_b']);
    expect(readFileSync(join(newcomer.folder, 'shop/.mcp.json'), 'utf8')).toContain(`${service.url}/api/public/mcp`);
    expect(readFileSync(join(newcomer.folder, 'bank/.codex/config.toml'), 'utf8')).toContain('PARLEY_TOKEN');
  });
});

test('README and service.md have no block of the four ways beyond those that run here', () => {
  const ways = snippets.filter(({ heading }) => /^\d\. /.test(heading));
  expect(ways.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    `${EMBEDDED}: js`,
    `${REST}: sh`,
    `${REST}: sh`,
    `${REST}: sh`,
    `${MCP}: json`,
    `${MCP}: sh`,
    `${UNIT_TESTS}: js`,
  ]);
});

test.each([EMBEDDED, UNIT_TESTS])('the program of "%s" is type-checked as an example', (heading) => {
  const sources = ['src', 'test'].flatMap((folder) => {
    const path = `examples/quick-start/${folder}`;
    return readdirSync(path).map((name) => readFileSync(`${path}/${name}`, 'utf8'));
  });
  expect(sources.filter((source) => source.startsWith(block(heading, 'js')))).toHaveLength(1);
});

describe('pasted as they stand', () => {
  test(
    'the program that embeds the core runs to its end',
    async () => {
      const { code, out, err } = await newcomer.program(block(EMBEDDED, 'js'));
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain("tool: 'post_turn'");
    },
    SLOW_MS,
  );

  test('the settings of a hosted service are those that it takes', async () => {
    const { code, out } = await newcomer.shell(block(REST, 'sh', 0));
    expect(code).toBe(0);
    const environment = Object.fromEntries(out.split('\n').map((line) => line.split(/=(.*)/s)));
    expect(readSettings(environment)).toMatchObject({
      databaseUrl: 'postgres://parley:secret@db.example.com:5432/parley',
      publicUrl: 'https://parley.example.com',
      trustedProxies: ['10.0.0.0/8'],
      host: '0.0.0.0',
    });
  });

  test('a code is redeemed, the state read and a turn posted over REST', async () => {
    const { code } = await service.owner.invite(service.sessionId, { role: 'agent_a' });
    const redeemed = await newcomer.shell(fillIn(block(REST, 'sh', 1), service, { code }));
    const { token, session_id } = JSON.parse(redeemed.out);
    const spoken = await newcomer.shell(fillIn(block(REST, 'sh', 2), service), {
      PARLEY_TOKEN: token,
      PARLEY_SESSION: session_id,
    });
    const [state, turn] = jsonValues(spoken.out);
    expect(state).toMatchObject({ session_id, your_turn: true });
    expect(turn).toMatchObject({ turn_index: 0, next_agent: 'agent_b' });
  });

  test('the MCP settings and the call by hand reach the task', async () => {
    const token = await service.tokenOf('agent_b');
    const endpoint = endpointOfJson(fillIn(block(MCP, 'json'), service), { PARLEY_TOKEN: token });
    expect(await readTaskAt(endpoint)).toMatchObject({ title: 'Refunds', your_role: 'agent_b' });
    const { out } = await newcomer.shell(fillIn(block(MCP, 'sh'), service), { PARLEY_TOKEN: token });
    expect(JSON.parse(out)).toMatchObject({ result: { isError: false, structuredContent: { title: 'Refunds' } } });
  });

  test(
    'the unit test passes',
    async () => {
      const { code, out } = await newcomer.tests(block(UNIT_TESTS, 'js'));
      expect(out).toMatch(/Tests +1 passed/);
      expect(code).toBe(0);
    },
    SLOW_MS,
  );
});

test('pnpm is asked for at the version that the repository names', () => {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(block('Where the packages come from', 'sh')).toContain(`npx --yes ${packageManager} `);
});

/** Parses the JSON bodies that curl prints one after the other. */
function jsonValues(text: string): unknown[] {
  return text.split(/(?<=\})(?=\{)/).map((part) => JSON.parse(part));
}
