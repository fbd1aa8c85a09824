import { connectOverMcp } from '@parley/example-mcp-agents';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at } from '../../support/exchange.ts';
import type { Joined } from '../../support/join-session.ts';
import { callTool, MCP, restPath, rpc } from '../../support/requests.ts';
import { ask, openService, post, type Service } from '../../support/service.ts';
import { openAt } from './support/sample-sessions.ts';
import { STOCK_CONTRACT, STOCK_HASH } from './support/stock-contract.ts';

let service: Service;
let joined: Joined;
let count = 1;

beforeAll(async () => {
  service = await openService();
  joined = await openAt(service, 'written by A');
});
afterAll(() => service.close());

const latest = (): string => `r_${count}`;

type Call = (tool: string, input: object) => Promise<unknown>;

const ROUTES: Readonly<Record<string, string>> = {
  submit_contract: 'contract',
  submit_position: 'plan',
  propose_revision: 'plan-revision',
  patch_contract: 'contract/patch',
};

const overRest: Call = async (tool, input) =>
  (await ask(service, restPath(joined.sessionId, ROUTES[tool] ?? ''), joined.tokens.agent_a, input)).json;

const overMcp: Call = async (tool, input) =>
  at((await post(service, joined.tokens.agent_a, callTool(tool, input))).json, 'result', 'structuredContent');

const overSdk: Call = async (tool, input) => {
  const agent = await connectOverMcp(`${service.url}${MCP}`, joined.tokens.agent_a);
  onTestFinished(() => agent.close());
  return agent.call(tool, { ...input });
};

const DOORS: readonly (readonly [string, Call])[] = [
  ['REST', overRest],
  ['MCP', overMcp],
  ['the official client', overSdk],
];

const inText = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);
const inTexts = (members: object): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, inText(value)]));

const written = async (): Promise<unknown> =>
  at((await ask(service, restPath(joined.sessionId, 'plan'), joined.tokens.agent_b)).json, 'contract');

describe.each(DOORS)('over %s', (_name, call) => {
  test.each(['submit_contract', 'submit_position', 'propose_revision'])(
    '%s takes a contract as an object and as JSON text alike',
    async (tool) => {
      for (const contract of [
        STOCK_CONTRACT,
        JSON.stringify(STOCK_CONTRACT),
        JSON.stringify(STOCK_CONTRACT, null, 2),
      ]) {
        const answer = await call(tool, { contract, expected_parent_id: latest(), reason: 'Once more.' });
        count += 1;
        expect(answer).toMatchObject({ revision_id: latest(), content_hash: STOCK_HASH, error_count: 0 });
        expect(await written()).toEqual(STOCK_CONTRACT);
      }
    },
  );

  test.each(['submit_contract', 'submit_position', 'propose_revision'])(
    '%s takes JSON texts for the members of a contract, and for members inside them',
    async (tool) => {
      const asTexts = Object.entries(STOCK_CONTRACT).map(([name, member]) => [
        name,
        Array.isArray(member)
          ? member.map((item) => (typeof item === 'string' ? item : JSON.stringify(inTexts(item))))
          : inText(member),
      ]);
      const contract = Object.fromEntries(asTexts);
      expect([typeof contract.scope, typeof contract.tasks[0]]).toEqual(['string', 'string']);
      const answer = await call(tool, { contract, expected_parent_id: latest(), reason: 'As texts.' });
      count += 1;
      expect(answer).toMatchObject({ revision_id: latest(), content_hash: STOCK_HASH, error_count: 0 });
    },
  );

  test('submit_contract keeps what is null where a member is required, and texts where texts are declared', async () => {
    const contract = {
      ...STOCK_CONTRACT,
      ...{ title: null, summary: '{"a":null}', decisions: '[d_1', scope: { in: null, out: [null] }, unknown: null },
    };
    const answer = await call('submit_contract', { contract, expected_parent_id: latest(), reason: 'Nulls.' });
    count += 1;
    expect(answer).toMatchObject({ revision_id: latest(), status: 'INVALID', title: '' });
    expect(await written()).toEqual(contract);
  });

  test.each<readonly [string, unknown, unknown?]>([
    ['null', null],
    ['an object of nulls', { default: null, examples: [null, { deeper: null }] }],
    ['a list of null', [null]],
    ['the object in a text', '{"type":null}', { type: null }],
    ['a number in a text', '7'],
    ['false', false],
    ['zero', 0],
  ])('patch_contract puts %s where it is to be', async (_what, value, put = value) => {
    const path = '/data_models/0/json_schema';
    for (const op of ['replace', 'add']) {
      for (const ops of [[{ op, path, value }], JSON.stringify([{ op, path, value }])]) {
        const base = { contract: STOCK_CONTRACT, expected_parent_id: latest(), reason: 'The base.' };
        await overRest('submit_contract', base);
        count += 1;
        const answer = await call('patch_contract', { ops, expected_parent_id: latest(), reason: 'A value.' });
        count += 1;
        expect(answer).toMatchObject({ revision_id: latest() });
        expect(at(await written(), 'data_models', 0, 'json_schema')).toEqual(put);
      }
    }
  });

  test('patch_contract needs no value to remove, and takes null for none', async () => {
    for (const member of ['risks', 'dependencies']) {
      const base = { contract: STOCK_CONTRACT, expected_parent_id: latest(), reason: 'The base.' };
      await overRest('submit_contract', base);
      count += 1;
      const op = { op: 'remove', path: `/${member}`, ...(member === 'risks' ? {} : { value: null }) };
      await call('patch_contract', { ops: [op], expected_parent_id: latest(), reason: 'Less.' });
      count += 1;
      expect(Object.keys(Object(await written()))).not.toContain(member);
    }
  });
});

describe('tools/list', () => {
  const listed = async (token: string): Promise<readonly unknown[]> => {
    const { json } = await post(service, token, rpc('tools/list'));
    const tools = at(json, 'result', 'tools');
    return Array.isArray(tools) ? tools : [];
  };

  test('stays small enough to be read by an agent, whole and tool by tool', async () => {
    for (const token of [joined.tokens.agent_a, joined.tokens.moderator]) {
      const sizes = (await listed(token)).map((tool) => JSON.stringify(tool).length);
      expect(Math.max(...sizes)).toBeLessThan(8_000);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(64_000);
    }
  });

  test('says of a contract which members it has and of which types, and requires none', async () => {
    const tools = await listed(joined.tokens.agent_a);
    const submit = tools.find((tool) => at(tool, 'name') === 'submit_contract');
    const contract = at(submit, 'inputSchema', 'properties', 'contract');
    expect(at(contract, 'type')).toBe('object');
    expect(Object.keys(Object(at(contract, 'properties')))).toEqual(
      expect.arrayContaining(Object.keys(STOCK_CONTRACT)),
    );
    expect([at(contract, 'properties', 'title'), at(contract, 'properties', 'decisions')]).toEqual([
      { type: 'string' },
      { type: 'array', items: { type: 'string' } },
    ]);
    expect(at(contract, 'required')).toBeUndefined();
  });

  test('takes any value in an operation of a patch', async () => {
    const tools = await listed(joined.tokens.agent_a);
    const patch = tools.find((tool) => at(tool, 'name') === 'patch_contract');
    const op = at(patch, 'inputSchema', 'properties', 'ops', 'items');
    expect(at(op, 'required')).toEqual(['op', 'path']);
    expect(Object.keys(Object(at(op, 'properties', 'value')))).toEqual(['description', 'anyOf']);
  });
});
