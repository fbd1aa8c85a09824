import { expect, test } from 'vitest';
import { toolsOf } from './role-tools.ts';

const [readTask] = await toolsOf('agent_a');
const named = async (name: string) => (await toolsOf('agent_a')).find((tool) => tool.name === name);

test('a tool that reads is listed as such, with the size that its result may have', () => {
  expect(readTask).toEqual({
    name: 'read_task',
    title: 'Read task',
    description:
      'Read the task: objective, guardrails, requirements, your role and repository, the other agent, and how to work. Start here.',
    inputSchema: { type: 'object', properties: {} },
    annotations: {
      title: 'Read task',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: { 'anthropic/maxResultSizeChars': 400_000 },
  });
});

test.each([
  ['post_turn', 'Post turn', true],
  ['accept_decision', 'Accept decision', false],
])('%s writes: its title is %s, and repeating it is harmless: %s', async (name, title, idempotentHint) => {
  const tool = await named(name);
  expect(tool).toMatchObject({ title, annotations: { title, readOnlyHint: false, idempotentHint } });
  expect(tool).not.toHaveProperty('_meta');
});
