import type { JsonSchema } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { overBudget } from '../../../test/support/budgets.ts';
import { toolsOf } from './role-tools.ts';

const LISTED = { agent_a: await toolsOf('agent_a'), moderator: await toolsOf('moderator') };
const TOOLS = (['agent_a', 'moderator'] as const).flatMap((role) => LISTED[role].map((tool) => ({ ...tool, role })));

const FORBIDDEN = [
  ...['$ref', '$defs', 'definitions', '$schema', '$id', 'id', 'default', 'patternProperties', 'propertyNames'],
  // google-genai for Python fails if this keyword is a boolean. openai-agents fails if it is anything else.
  'additionalProperties',
];

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a schema and all schemas inside it. Values of enum, const and examples are not schemas. */
function nodesOf(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties), items, ...anyOf].filter(isSchema);
  return [schema, ...inner.flatMap(nodesOf)];
}

test('a builder has 48 tools and a moderator 23', () => {
  expect([LISTED.agent_a.length, LISTED.moderator.length]).toEqual([48, 23]);
});

test('the lists of a builder and of a moderator are within their budgets', () => {
  const answer = (role: 'agent_a' | 'moderator') =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: LISTED[role] } });
  expect(overBudget('tools of a builder', Buffer.byteLength(answer('agent_a')))).toEqual([]);
  expect(overBudget('tools of a moderator', Buffer.byteLength(answer('moderator')))).toEqual([]);
});

describe.each(TOOLS)('the tool $name, as the $role sees it', ({ name, description, inputSchema }) => {
  const nodes = nodesOf(inputSchema);

  test('gives every node one type, or a choice of nodes that have one', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array'];
    for (const { type, anyOf } of nodes) {
      if (anyOf) expect([type, anyOf.length > 1]).toEqual([undefined, true]);
      else expect(types).toContain(type);
    }
  });

  test('has a name and a description within the limits', () => {
    expect(name).toMatch(/^[a-z][a-z_]{0,23}$/);
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  test('has a plain object as input', () => {
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    for (const union of ['anyOf', 'oneOf', 'allOf', 'enum', 'not']) expect(inputSchema).not.toHaveProperty([union]);
  });

  test('uses no keyword that a known client rejects', () => {
    for (const node of nodes) for (const keyword of FORBIDDEN) expect(node).not.toHaveProperty([keyword]);
  });

  test('gives every array its items', () => {
    for (const node of nodes.filter(({ type }) => type === 'array')) expect(isSchema(node.items)).toBe(true);
  });

  test('gives every object its properties and requires only declared ones', () => {
    for (const { properties, required = [] } of nodes.filter(({ type }) => type === 'object')) {
      expect(isSchema(properties)).toBe(true);
      expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining([...required]));
    }
  });

  test('has member names that every client accepts', () => {
    for (const { properties = {} } of nodes)
      for (const member of Object.keys(properties)) expect(member).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  });

  test('lists only non-empty strings as choices', () => {
    const choices = nodes.flatMap((node) => (Array.isArray(node.enum) ? node.enum : []));
    expect(choices.filter((choice) => typeof choice !== 'string' || choice === '')).toEqual([]);
  });
});

describe('the contract', () => {
  const contractOf = (tool: string): JsonSchema => {
    const listed = LISTED.agent_a.find(({ name }) => name === tool);
    return listed?.inputSchema.properties?.contract ?? {};
  };
  const TEXT = { type: 'string' };
  const TEXTS = { type: 'array', items: TEXT };
  const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, TEXT]));
  const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
  const PLAIN = {
    ...texts('schema_version', 'title', 'summary', 'fixture_version'),
    scope: { type: 'object', properties: { in: TEXTS, out: TEXTS } },
    decisions: TEXTS,
    rollout: { type: 'object', properties: { steps: TEXTS, rollback: TEXT } },
  };

  test('of submit_contract has all members, and in each member all required members', () => {
    expect(contractOf('submit_contract')).toEqual({
      type: 'object',
      description: 'As get_contract_schema describes it.',
      properties: {
        ...PLAIN,
        interfaces: list({
          ...texts('id', 'name', 'kind', 'provider', 'description'),
          consumers: TEXTS,
          operations: list(texts('name')),
        }),
        data_models: list({ ...texts('id', 'name'), json_schema: { type: 'object', properties: {} } }),
        tasks: list({
          ...texts('id', 'title', 'assignee'),
          ...{ requirements: TEXTS, interfaces: TEXTS, depends_on: TEXTS, deliverables: TEXTS, done_when: TEXTS },
        }),
        tests: list({
          ...texts('id', 'title', 'given', 'when', 'then', 'executor'),
          ...{ requirements: TEXTS, interfaces: TEXTS, depends_on: TEXTS },
        }),
        gates: list(texts('id', 'title', 'stage', 'condition')),
        risks: list(texts('id', 'text', 'mitigation', 'assignee')),
        safety_conditions: list({ ...texts('id', 'text'), covered_by: TEXTS }),
        dependencies: list(texts('name', 'assignee', 'why')),
        artifacts: list(texts('filename', 'media_type', 'audience', 'content')),
      },
    });
  });

  test('of validate_contract_draft is an open object that refers to submit_contract', () => {
    expect(contractOf('validate_contract_draft')).toEqual({
      type: 'object',
      properties: {},
      description: 'As in submit_contract.',
    });
  });

  test.each(['submit_position', 'propose_revision'])('of %s, which is submit_contract, is an open object', (tool) => {
    expect(contractOf(tool)).toEqual({ type: 'object', properties: {} });
  });
});
