import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { EXAMPLE_CONTRACT } from '../../src/areas/document/example.ts';
import { renderHandoff } from '../../src/areas/rendering/handoff.ts';
import { EXAMPLE_FACTS } from './facts.ts';

const linesOf = (contract: Contract, builder: 'agent_a' | 'agent_b'): string[] =>
  renderHandoff(contract, builder, EXAMPLE_FACTS).split('\n');

/** The lines from a heading to the next heading of its level. */
function sectionOf(lines: readonly string[], heading: string): string[] {
  const rest = lines.slice(lines.indexOf(heading) + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest.slice(0, end === -1 ? undefined : end).filter(Boolean);
}

describe('renderHandoff', () => {
  test('orders the own tasks by what they depend on, through the other agent too', () => {
    const tasks = [...EXAMPLE_CONTRACT.tasks].reverse();
    const section = sectionOf(linesOf({ ...EXAMPLE_CONTRACT, tasks }, 'agent_a'), '## Your tasks, in order');
    expect(section.filter((line) => line.startsWith('- [ ]'))).toEqual([
      '- [ ] `task-checkout` Send every try with the same key',
      '- [ ] `task-outcomes` Show the outcome on the order',
    ]);
  });

  test('says who waits for whom', () => {
    const section = sectionOf(linesOf(EXAMPLE_CONTRACT, 'agent_b'), '## Your tasks, in order');
    expect(section.filter((line) => /wait|After|Before/i.test(line))).toEqual([
      '  - Waits for nothing',
      '  - Before your own: `task-events`',
      '  - Awaited by `agent_a`: `task-checkout` Send every try with the same key',
      '  - After your own: `task-captures`',
      '  - Awaited by `agent_a`: `task-outcomes` Show the outcome on the order',
    ]);
  });

  test('tells what readiness asks, at a glance', () => {
    expect(sectionOf(linesOf(EXAMPLE_CONTRACT, 'agent_b'), '## Your part at a glance')).toEqual([
      '- Tasks assigned to you: `task-captures`, `task-events`',
      '- Interfaces you provide: `captures-api`, `capture-events`',
      '- Interfaces you consume: none',
      '- Tests you execute: `test-settle`',
      '- Tests whose faults you mend: `test-retry`, `test-settle`',
      '- Tasks of the other agent you wait for: none',
    ]);
  });

  test('shows every safety condition and marks those that its builder keeps', () => {
    expect(sectionOf(linesOf(EXAMPLE_CONTRACT, 'agent_a'), '## Safety conditions')).toEqual([
      '- `safe-no-live-replay` Nobody replays a capture in the live ledger.',
      '  - Kept by: gate `gate-activation`, test `test-retry`',
      '  - **Yours to keep** by gate `gate-activation`, test `test-retry`',
      '- `safe-append-only` An entry of the ledger is never edited or deleted.',
      '  - Kept by: task `task-captures`',
    ]);
  });

  test('leaves out the risks, dependencies and artifacts of the other agent', () => {
    const artifacts: Contract['artifacts'] = [
      { filename: 'mine.txt', media_type: 'text/plain', audience: 'agent_a', content: 'é' },
      { filename: 'theirs.txt', media_type: 'text/plain', audience: 'agent_b', content: '' },
    ];
    const lines = linesOf({ ...EXAMPLE_CONTRACT, artifacts }, 'agent_a');
    expect(sectionOf(lines, '## Your risks')).toEqual(['None.']);
    expect(sectionOf(lines, '## Dependencies you bring')).toEqual(['None.']);
    expect(sectionOf(lines, '## Artifacts for you').slice(2)).toEqual([
      '| `mine.txt` | `text/plain` | `agent_a` | 2 |',
    ]);
  });

  test('says where to begin', () => {
    const beginning = (contract: Contract, builder: 'agent_a' | 'agent_b') =>
      sectionOf(linesOf(contract, builder), '## How to begin')[4];
    const none = { ...EXAMPLE_CONTRACT, tasks: [] };
    expect(beginning(EXAMPLE_CONTRACT, 'agent_b')).toBe('5. Begin with `task-captures`: nothing stands before.');
    expect(beginning(EXAMPLE_CONTRACT, 'agent_a')).toContain('5. Begin with `task-checkout`, against the interfaces');
    expect(beginning(none, 'agent_a')).toContain('5. No task is yours');
  });
});
