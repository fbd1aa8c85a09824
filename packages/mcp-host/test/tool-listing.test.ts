import { expect, test } from 'vitest';
import { toolsOf } from './role-tools.ts';

const [readTask] = await toolsOf('agent_a');
const named = async (name: string) => (await toolsOf('agent_a')).find((tool) => tool.name === name);

test('a reading tool is listed with readOnlyHint', () => {
  expect(readTask).toEqual({
    name: 'read_task',
    description: 'Read the task, your role and how to work. Start here.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  });
});

test('tools that read stored texts describe the maximum size of a result', async () => {
  const large = (await toolsOf('agent_a')).filter(({ _meta }) => _meta !== undefined);
  for (const { _meta } of large) expect(_meta).toEqual({ 'anthropic/maxResultSizeChars': 400_000 });
  expect(large.map(({ name }) => name)).toEqual([
    ...[
      'read_session_state',
      'wait_for_my_turn',
      'read_messages',
      'list_decisions',
      'get_final_plan',
      'get_revision_diff',
      'list_findings',
    ],
    ...['fetch_artifact', 'verify_next', 'verify_board', 'list_interventions'],
  ]);
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
