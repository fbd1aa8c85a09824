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

  test('states which task waits for which', () => {
    expect(sectionOf(linesOf(FULL_CONTRACT, 'agent_b'), '## Your tasks, in order')).toEqual([
      '- [ ] `task-captures` `/tasks/0`',
      '  - waits for nothing; before your own `task-events`; `agent_a` waits for it with `task-checkout`',
      '- [ ] `task-events` `/tasks/1`',
      '  - after your own `task-captures`; `agent_a` waits for it with `task-outcomes`',
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

  test('lists the interfaces of its builder with tasks and tests', () => {
    expect(sectionOf(linesOf(FULL_CONTRACT, 'agent_a'), '## Your interfaces')).toEqual([
      '- `captures-api` `/interfaces/0`: you consume it; your tasks: `task-checkout`; tests: `test-retry`',
      '- `capture-events` `/interfaces/1`: you consume it; your tasks: `task-outcomes`; tests: `test-settle`',
    ]);
  });

  test('lists the safety conditions that its builder keeps', () => {
    expect(sectionOf(linesOf(FULL_CONTRACT, 'agent_a'), '## Safety conditions you keep')).toEqual([
      '- `safe-no-live-replay` `/safety_conditions/0` by gate `gate-activation`, test `test-retry`',
    ]);
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

  test('contains what the contract does not: mission, services and decided texts', () => {
    const handoff = renderHandoff(FULL_CONTRACT, 'agent_a', EXAMPLE_FACTS);
    const { objective, guardrails, requirements } = EXAMPLE_FACTS.mission;
    for (const text of [objective, ...guardrails, ...requirements.map(({ text }) => text)])
      expect(handoff).toContain(text);
    expect(sectionOf(handoff.split('\n'), '## Decisions')).toEqual([
      '- `d_1` Idempotency key',
      '  ```text',
      '  The shop sends `Idempotency-Key` with the order id; the ledger keeps it for ever.',
      '  ```',
      '- `d_3` Unknown outcomes',
      '  ```text',
      '  The ledger settles them:',
      '  - it asks the provider every minute',
      '  - after 15 minutes it reports capture.refused',
      '  ```',
    ]);
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

  test('asks for no readiness where the build does not wait for it', () => {
    const handoff = renderHandoff(FULL_CONTRACT, 'agent_b', {
      ...EXAMPLE_FACTS,
      terms: { ...EXAMPLE_FACTS.terms, asksReadiness: false },
    });
    expect(handoff.split('## How to begin\n\n')[1]).toBe(
      [
        '1. `list_artifacts` names your files; `fetch_artifact` gives those that you have not read yet.',
        '2. Begin with `task-captures`, which depends on no other task.',
        '3. When your part runs, declare it with `verify_handshake` and follow `verify_next`.\n',
      ].join('\n'),
    );
  });
});
