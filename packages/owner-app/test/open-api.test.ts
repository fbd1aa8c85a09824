import { describeOperations, ERROR_KINDS } from '@parley/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { overBudget } from '../../../test/support/budgets.ts';
import { openApiDocument, ownerApiDocument } from '../src/server/reference/open-api.ts';
import { ask } from './ask.ts';
import { runApp } from './running-app.ts';

const DOCUMENTS = {
  'openapi.json': openApiDocument({ version: '1.2.3' }),
  'openapi-owner.json': ownerApiDocument({ version: '1.2.3' }),
};
const NAMES = ['openapi.json', 'openapi-owner.json'] as const;

const pathsOf = (name: keyof typeof DOCUMENTS): Record<string, Record<string, unknown>> =>
  Object(DOCUMENTS[name].paths);
const schemasOf = (name: keyof typeof DOCUMENTS): Record<string, unknown> => Object(DOCUMENTS[name].components).schemas;

const served = (name: keyof typeof DOCUMENTS): string[] =>
  Object.entries(pathsOf(name)).flatMap(([path, item]) =>
    ['get', 'post', 'delete'].filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
  );

const SESSION = '/api/public/agent/sessions/{session_id}';
const agentRoute = (method: string, path: string) => Object(pathsOf('openapi.json')[`${SESSION}/${path}`])[method];

describe.each(NAMES)('%s', (name) => {
  test('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone({ ...DOCUMENTS[name] }))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('is within its budget', () => {
    const budget = name === 'openapi.json' ? 'OpenAPI of the agents' : 'OpenAPI of the owner';
    expect(overBudget(budget, Buffer.byteLength(JSON.stringify(DOCUMENTS[name])))).toEqual([]);
  });

  test('names every operation once', () => {
    const ids = Object.values(pathsOf(name)).flatMap((item) =>
      Object.values(item).flatMap((entry) => Object(entry).operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('contains no object and no list of texts twice', () => {
    const seen = new Map<string, number>();
    const count = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node || ('enum' in node && Array.isArray(node.enum) && node.enum.length > 2)) {
        const schema = JSON.stringify({ ...node, description: undefined });
        seen.set(schema, (seen.get(schema) ?? 0) + 1);
      }
      Object.values(node).forEach(count);
    };
    count(DOCUMENTS[name]);
    expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
    expect(seen.size).toBeGreaterThan(80);
  });

  test('refers to each of its schemas, and contains each schema to which it refers', () => {
    const text = JSON.stringify(DOCUMENTS[name]);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, schema]) => schema));
    expect([...referred].toSorted()).toEqual(Object.keys(schemasOf(name)).toSorted());
  });
});

describe('the document of the agents', () => {
  test('has the rows of the specification, the MCP endpoint and nothing else', () => {
    const rows = describeOperations().agents.flatMap(({ routes }) =>
      routes.map(({ by, method, path }) =>
        by === 'anyone' ? `${method} /api/public/agent${path}` : `${method} ${SESSION}/${path}`,
      ),
    );
    const mcp = ['POST /api/public/mcp', 'POST /api/public/mcp/{token}'];
    expect(served('openapi.json').toSorted()).toEqual([...new Set(rows), ...mcp].toSorted());
    // Builders have 47 routes and moderators 22. They share 8 of these routes, 2 routes need no token, and the command
    // parley has 2, so there are 65.
    expect(new Set(rows).size).toBe(65);
  });

  test('has the idempotency key for turns only', () => {
    const withKey = Object.entries(pathsOf('openapi.json')).filter(([, item]) =>
      JSON.stringify(item).includes('Idempotency-Key'),
    );
    expect(withKey.map(([path]) => path)).toEqual([`${SESSION}/turns`]);
  });

  test('has the idempotency key for each write of the owner, except signing in and out', () => {
    const keys = (item: unknown): boolean => JSON.stringify(Object(item).parameters ?? []).includes('/key"');
    const writes = Object.entries(pathsOf('openapi-owner.json')).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, entry]) =>
        ['post', 'delete'].includes(method) ? [{ path, hasKey: keys(item) || keys(entry) }] : [],
      ),
    );
    expect(writes.filter(({ hasKey }) => !hasKey).map(({ path }) => path)).toEqual([
      '/owner/api/sign-in',
      '/owner/api/sign-in/company',
      '/owner/api/sign-in/finish',
      '/owner/api/sign-out',
    ]);
    expect(writes.length).toBeGreaterThan(40);
  });

  test('has the header Prefer for each write of the owner on one session, which the service applies', () => {
    const prefers = (item: unknown): boolean => JSON.stringify(Object(item).parameters ?? []).includes('/prefer"');
    const writes = Object.entries(pathsOf('openapi-owner.json')).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, entry]) =>
        ['post', 'delete'].includes(method) ? [{ path, does: prefers(item) || prefers(entry) }] : [],
      ),
    );
    const isOfSession = ({ path }: { path: string }): boolean => /^\/owner\/api\/sessions\/\{session_id\}/.test(path);
    // The answer to the erasure of a session has no session after it.
    expect(writes.filter((write) => !write.does && isOfSession(write)).map(({ path }) => path)).toEqual([
      '/owner/api/sessions/{session_id}',
    ]);
    expect(writes.filter((write) => write.does && !isOfSession(write))).toEqual([]);
    expect(writes.filter(({ does }) => does).length).toBeGreaterThan(25);
  });

  test('lists every status with which a route that writes can refuse a call', () => {
    const posts = served('openapi.json').filter((route) => route.startsWith(`POST ${SESSION}/`));
    const always = posts.map((route) => Object.keys(agentRoute('post', route.slice(SESSION.length + 6)).responses));
    expect(posts).toHaveLength(42);
    for (const status of ['401', '403', '4XX', '422', '429'])
      expect(always.filter((all) => !all.includes(status))).toEqual([]);
  });

  test('has every code of an error', () => {
    expect(Object(schemasOf('openapi.json').Error).properties.error.enum).toEqual(Object.keys(ERROR_KINDS));
  });
});

describe('the document of the owner', () => {
  test('contains the routes of the owner, and none of the agents', () => {
    const routes = served('openapi-owner.json');
    expect(routes.filter((route) => !/^(GET|POST|DELETE) \/owner\/api\//.test(route))).toEqual([]);
    expect(routes).toHaveLength(82);
  });
});

describe('the reference of a running server', () => {
  test.each(NAMES)('is at /%s, with its version', async (name) => {
    const { url } = await runApp();
    const { status, json, headers } = await ask(url, `/${name}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(json).toMatchObject({ openapi: '3.1.1', info: { title: expect.stringContaining('Parley') } });
  });

  test('is a page at /docs that loads its style and nothing else', async () => {
    const { url } = await runApp();
    const { status, text, headers } = await ask(url, '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).toContain('<section id="accept_decision"><h3><code>accept_decision</code></h3>');
    expect(text).toContain('<section id="approveContract"><h3><code>approveContract</code></h3>');
    expect(text).toContain('<a href="/openapi-owner.json">');
    expect(text).not.toMatch(/<script|style=|https?:\/\//);
    expect((await ask(url, '/docs/style.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });
});

describe('openapi.json?tool=NAME', () => {
  const documentOf = (tool: string) => Object(openApiDocument({ version: '1.2.3' }, tool));

  test('describes the routes of one call alone, and is a valid document', async () => {
    const document = documentOf('verify_handshake');
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect(Object.keys(document.paths)).toEqual(['/api/public/agent/sessions/{session_id}/verify/handshake']);
  });

  const routed = describeOperations().agents.filter(({ routes }) => routes.length > 0);

  test.each(routed.map(({ name }) => name))('of %s has its route and is under 30 kB', (name) => {
    expect(Object.keys(documentOf(name).paths).length).toBeGreaterThan(0);
    expect(JSON.stringify(documentOf(name)).length).toBeLessThan(30_000);
  });

  test('is served beside the whole file, and answers 404 with the names for another word', async () => {
    const { url } = await runApp();
    expect((await ask(url, '/openapi.json?tool=post_turn')).json.paths).toEqual(documentOf('post_turn').paths);
    expect((await ask(url, '/openapi.json')).json.paths).toEqual(pathsOf('openapi.json'));
    for (const word of ['constructor', '', 'undefined', 'wait_for_my_turn', 'post_turn&tool=post_turn'])
      expect(await ask(url, `/openapi.json?tool=${word}`)).toMatchObject({
        status: 404,
        json: { error: 'NOT_FOUND', hint: expect.stringContaining('redeem_invitation') },
      });
  });
});
