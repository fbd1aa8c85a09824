import { describe, expect, test } from 'vitest';
import { registry } from '../src/areas/registry.ts';
import type { JsonSchema } from '../src/kernel/json-schema.ts';

const TOOLS = [
  ...new Map([...registry.listings.agent_a, ...registry.listings.moderator].map((tool) => [tool.name, tool])).values(),
];

const FORBIDDEN = ['$ref', '$defs', 'definitions', '$schema', '$id', 'id', 'default', 'patternProperties'];

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema and all schemas inside it; values of enum, const and examples are data. */
function nodesOf(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const inner = [...Object.values(properties), items, ...anyOf, additionalProperties].filter(isSchema);
  return [schema, ...inner.flatMap(nodesOf)];
}

describe.each(TOOLS)('the tool $name, as MCP clients see it', ({ name, description, inputSchema }) => {
  const nodes = nodesOf(inputSchema);

  test('has a name and a description that fit', () => {
    expect(name).toMatch(/^[a-z][a-z_]{0,23}$/);
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  test('takes one object, said plainly', () => {
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    for (const union of ['anyOf', 'oneOf', 'allOf', 'enum', 'not']) expect(inputSchema).not.toHaveProperty([union]);
  });

  test('uses no keyword that a client trips on', () => {
    for (const node of nodes) for (const keyword of FORBIDDEN) expect(node).not.toHaveProperty([keyword]);
    for (const { type } of nodes) expect(Array.isArray(type)).toBe(false);
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

  test('names members as every client can', () => {
    for (const { properties = {} } of nodes)
      for (const member of Object.keys(properties)) expect(member).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  });

  test('lists only non-empty strings as choices', () => {
    const choices = nodes.flatMap((node) => (Array.isArray(node.enum) ? node.enum : []));
    expect(choices.filter((choice) => typeof choice !== 'string' || choice === '')).toEqual([]);
  });
});

test('wait_for_my_turn requires wait', () => {
  const tool = TOOLS.find(({ name }) => name === 'wait_for_my_turn');
  expect(tool?.inputSchema.required).toEqual(['wait']);
});
