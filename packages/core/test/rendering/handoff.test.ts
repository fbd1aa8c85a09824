import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { renderHandoff } from '../../src/areas/rendering/handoff.ts';
import { BUILDERS } from '../../src/kernel/roles.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { EXAMPLE_FACTS } from './facts.ts';

const linesOf = (contract: Contract, builder: 'agent_a' | 'agent_b'): string[] =>
  renderHandoff(contract, builder, EXAMPLE_FACTS).split('\n');

/** The lines between a heading and the next heading of level 2. */
function sectionOf(lines: readonly string[], heading: string): string[] {
  const rest = lines.slice(lines.indexOf(heading) + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest.slice(0, end === -1 ? undefined : end).filter(Boolean);
}

const MISSION = JSON.stringify(EXAMPLE_FACTS);

const memberOf = (value: unknown, name: string): unknown =>
  Object.entries(Object(value)).find(([key]) => key === name)?.[1];

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);

describe('renderHandoff', () => {
  test('orders the tasks of its builder by their dependencies, also through tasks of the other agent', () => {
    const tasks = [...FULL_CONTRACT.tasks].reverse();
    const section = sectionOf(linesOf({ ...FULL_CONTRACT, tasks }, 'agent_a'), '## Your tasks, in order');
    expect(section.filter((line) => line.startsWith('- [ ]'))).toEqual([
      '- [ ] `task-checkout` `/tasks/1`',
      '- [ ] `task-outcomes` `/tasks/0`',
    ]);
  });

  const factsOf = (position: string) => ({
    ...EXAMPLE_FACTS,
    decisions: [{ decision_id: 'd_1', topic: 'Paths', position }],
  });
  const decisionsOf = (position: string) =>
    renderHandoff(FULL_CONTRACT, 'agent_a', factsOf(position)).split('\n## Decisions\n\n')[1]?.split('\n\n## ')[0];

  test.each([
    [
      'that Markdown would change',
      'GET /books/<encodeURIComponent(id)>\n  answers *one* book.',
      '- `d_1` Paths\n  ```text\n  GET /books/<encodeURIComponent(id)>\n    answers *one* book.\n  ```',
    ],
    [
      'with fences of its own',
      '```\n</code>\n````\n# Heading',
      '- `d_1` Paths\n  `````text\n  ```\n  </code>\n  ````\n  # Heading\n  `````',
    ],
  ])('contains a decided text unchanged: one %s', (_which, position, shown) => {
    expect(decisionsOf(position)).toBe(shown);
  });

  test('contains the texts of the mission unchanged', () => {
    const { mission } = EXAMPLE_FACTS;
    const exact = {
      ...mission,
      objective: 'Serve <T>.',
      guardrails: ['Never *guess*.'],
      requirements: [{ requirement_id: 'req-1', text: 'Send a_b_.', acceptance_criteria: ['It has &amp;.'] }],
    };
    const handoff = renderHandoff(FULL_CONTRACT, 'agent_a', { ...EXAMPLE_FACTS, mission: exact });
    expect(handoff).toContain('## Mission\n\n```text\nServe <T>.\n```\n');
    expect(handoff).toContain('### Guardrails\n\n- ```text\n  Never *guess*.\n  ```\n');
    expect(handoff).toContain(
      '- `req-1`\n  ```text\n  Send a_b_.\n  ```\n  - accepted when:\n    ```text\n    It has &amp;.\n    ```\n',
    );
  });

  test('names the decision that holds in place of a cited one', () => {
    const replaced = [
      { id: 'd_4', status: 'SUPERSEDED', replacement: 'd_11' },
      { id: 'd_5', status: 'WITHDRAWN', replacement: undefined },
    ];
    const handoff = renderHandoff(FULL_CONTRACT, 'agent_a', { ...EXAMPLE_FACTS, replaced });
    expect(handoff).toContain(
      '\n\nThese decisions are cited, but are no longer active:\n\n- `d_4` is SUPERSEDED: `d_11` replaced it\n- `d_5` is WITHDRAWN\n\n## ',
    );
  });

  test('leaves out the risks, dependencies and artifacts of the other agent', () => {
    const artifacts: Contract['artifacts'] = [
      { filename: 'theirs.txt', media_type: 'text/plain', audience: 'agent_b', content: '' },
      { filename: 'mine.txt', media_type: 'text/plain', audience: 'agent_a', content: 'é' },
    ];
    const lines = linesOf({ ...FULL_CONTRACT, artifacts }, 'agent_a');
    expect(sectionOf(lines, '## Also assigned to you')).toEqual([
      '- File `mine.txt`: its content stands at `/artifacts/1/content`',
    ]);
  });

  test.each(['agent_a', 'agent_b'] as const)('names what %s builds by pointers that lead to it', (builder) => {
    const named = [...renderHandoff(FULL_CONTRACT, builder, EXAMPLE_FACTS).matchAll(/`([^`\n]+)` `(\/[^`]+)`/g)];
    const found = named.map(([, , path = '']) => path.split('/').slice(1).reduce(memberOf, FULL_CONTRACT));
    expect(named.length).toBeGreaterThan(10);
    expect(found).toEqual(named.map(([, id]) => expect.objectContaining({ id })));
  });

  test.each(['agent_a', 'agent_b'] as const)('repeats no text of the contract for %s', (builder) => {
    const handoff = renderHandoff(FULL_CONTRACT, builder, EXAMPLE_FACTS);
    const texts = textsIn(FULL_CONTRACT).filter((text) => text.includes(' ') && !MISSION.includes(text));
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text) => handoff.includes(text))).toEqual([]);
  });

  test('stays small beside the contract', () => {
    const sizes = BUILDERS.map((builder) => Buffer.byteLength(renderHandoff(FULL_CONTRACT, builder, EXAMPLE_FACTS)));
    expect(Math.max(...sizes)).toBeLessThan(4_200);
  });

  test('names the first step', () => {
    const beginning = (contract: Contract, builder: 'agent_a' | 'agent_b') =>
      sectionOf(linesOf(contract, builder), '## How to begin')[4];
    const none = { ...FULL_CONTRACT, tasks: [] };
    expect(beginning(FULL_CONTRACT, 'agent_b')).toBe('5. Begin with `task-captures`, which depends on no other task.');
    expect(beginning(FULL_CONTRACT, 'agent_a')).toContain(
      '5. Begin with `task-checkout`, against the agreed interfaces',
    );
    expect(beginning(none, 'agent_a')).toContain('5. No task is assigned to you');
  });
});
