import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { compileProgram } from '../../../scripts/compile-program.ts';
import { createNewcomer } from '../support/newcomer.ts';
import { snippetsOf, snippetUnder } from '../support/snippets.ts';

const CORE = 'The core';
const STORAGES = 'Storages';
const ROUTES = 'Beside your own routes, behind your own login';
const CLIENT = 'The client';
const PEOPLE = 'Who is signed in';
const WHOLE = 'The whole service inside your program';
const TESTS = 'In tests';

/** Each program starts a bundler and the tests start vitest, which takes long on a busy machine. */
const SLOW_MS = 60_000;

const snippets = snippetsOf('docs/embedding.md');
const block = (heading: string, place?: number) => snippetUnder(snippets, heading, 'js', place);
const newcomer = createNewcomer();
const databaseUrl = inject('databaseUrl');

afterAll(() => newcomer.leave());

test('the page has no block beyond those that run here', () => {
  expect(snippets.map(({ heading, language }) => `${heading}: ${language}`)).toEqual(
    [CORE, STORAGES, STORAGES, ROUTES, CLIENT, PEOPLE, PEOPLE, PEOPLE, WHOLE, TESTS].map((heading) => `${heading}: js`),
  );
});

test.each([
  [CORE, 4],
  [CLIENT, 2],
])(
  'the program of %s prints what its comments say',
  async (heading, lines) => {
    const { code, out, err } = await newcomer.program(block(heading));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const comments = [...block(heading).matchAll(/console\.log\(.*\); \/\/ (.+)/g)].map(([, text = '']) => text);
    expect(comments).toHaveLength(lines);
    expect(out.replace(/\s+/g, ' ').trim()).toBe(comments.join(' '));
  },
  SLOW_MS,
);

describe.skipIf(databaseUrl === null)('on PostgreSQL', () => {
  test(
    'the program counts its sessions',
    async () => {
      const { code, out, err } = await newcomer.program(block(STORAGES), { DATABASE_URL: databaseUrl ?? '' });
      expect({ code, out, err }).toEqual({ code: 0, out: '0 sessions\n', err: '' });
    },
    SLOW_MS,
  );
});

test(
  'the suite for storages and the tests of an agent pass',
  async () => {
    const { code, out } = await newcomer.tests(`${block(STORAGES, 1)}\n${block(TESTS)}`);
    expect(out).toMatch(/Tests +\d{2} passed/);
    expect(code).toBe(0);
  },
  SLOW_MS,
);

test(
  'the routes stand beside others, behind the login that is said',
  async () => {
    const [url = ''] = await run(block(ROUTES), { PORT: '0' }, 1);
    const status = async (path: string, headers = {}) => (await fetch(url + path, { headers })).status;
    expect(await (await fetch(url)).text()).toBe('our own page');
    expect(await status('/api/public/agent/health')).toBe(200);
    expect(await status('/api/public/mcp')).toBe(405);
    expect(await status('/admin/parley/sessions')).toBe(401);
    expect(await status('/admin/parley/sessions', { 'x-user': 'ada' })).toBe(200);
  },
  SLOW_MS,
);

test.each([
  ['Express', 0],
  ['Fastify', 1],
  ['Koa', 2],
])(
  'the program with %s says who is signed in, and the role limits the calls',
  async (_framework, place) => {
    const [url = ''] = await run(block(PEOPLE, place), { PORT: '0' }, 1);
    const ask = async (user: string, body?: object) => {
      const headers = { 'x-user': user, ...(body && { 'content-type': 'application/json' }) };
      const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const answer = await fetch(`${url}/sessions`, { headers, ...sent });
      return { status: answer.status, body: (await answer.json()) as { readonly sessions?: readonly unknown[] } };
    };
    const session = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'r', text: 'R' }] };
    expect(await ask('team-7,7,Ada,operator', session)).toMatchObject({ status: 200, body: { status: 'DRAFT' } });
    expect(await ask('team-7,8,Ben,viewer', session)).toMatchObject({
      status: 403,
      body: { error: 'ROLE_FORBIDDEN', required_role: 'operator' },
    });
    expect((await ask('team-7,8,Ben,viewer')).body.sessions).toHaveLength(1);
    expect((await ask('team-8,9,Cid,approver')).body.sessions).toEqual([]);
  },
  SLOW_MS,
);

test(
  'the whole service and its API alone open to the same key',
  async () => {
    const key = `pok_${'e'.repeat(43)}`;
    const [whole = '', api = ''] = await run(block(WHOLE), { PARLEY_OWNER_KEY: key }, 2);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${whole}/readyz`)).status).toBe(200);
    expect((await fetch(`${whole}/owner/api/sessions`, { headers })).status).toBe(200);
    expect((await fetch(`${api}/internal/parley/sessions`, { headers })).status).toBe(200);
    expect((await fetch(`${api}/internal/parley/sessions`)).status).toBe(401);
  },
  SLOW_MS,
);

/** Starts a program that opens `servers` servers. Returns their addresses. The program must exit on SIGTERM. */
async function run(code: string, env: Readonly<Record<string, string>>, servers: number): Promise<string[]> {
  const file = join(newcomer.folder, 'server.mjs');
  writeFileSync(file, code);
  const program = await compileProgram(file, 'embedding');
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
  return addressesOf(child, servers);
}

async function addressesOf({ stdout }: ChildProcess, count: number): Promise<string[]> {
  const found: string[] = [];
  if (!stdout) return found;
  for await (const line of createInterface({ input: stdout })) {
    found.push(line.replace('listening on ', ''));
    if (found.length === count) break;
  }
  return found;
}
