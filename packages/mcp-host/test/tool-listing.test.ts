import { expect, test } from 'vitest';
import { toolsOf } from './role-tools.ts';

const [readTask] = await toolsOf('agent_a');
const named = async (name: string) => (await toolsOf('agent_a')).find((tool) => tool.name === name);

test('a tool that reads is listed as such, with the size that its result may have', () => {
  expect(readTask).toEqual({
    name: 'read_task',
    description:
      'Read the task: objective, guardrails, requirements, your role, the other agent, and how to work. Start here.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': 400_000 },
  });
});

test.each([
  ['post_turn', { destructiveHint: false, openWorldHint: false, idempotentHint: true }],
  ['accept_decision', { destructiveHint: false, openWorldHint: false }],
])('%s writes: its annotations are those that differ from the defaults of MCP', async (name, annotations) => {
  const tool = await named(name);
  expect(tool?.annotations).toEqual(annotations);
  expect(tool).not.toHaveProperty('_meta');
  expect(tool).not.toHaveProperty('title');
});
