import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContractTask } from '../../src/areas/document/contract.ts';
import { taskGraph } from '../../src/areas/rendering/contract.ts';
import { treeOf } from './markdown-tree.ts';
import { nastyText } from './nasty-texts.ts';

const LINES = [
  /^graph LR$/,
  /^ {2}t\d+\["[^"]*"\]:::agent_[ab]$/,
  /^ {2}t\d+ --> t\d+$/,
  /^ {2}classDef agent_[ab] fill:#\w{6},stroke:#\w{6},color:#\w{6}$/,
];
/**
 * Matches a node's label: letters, digits, blanks, harmless punctuation, numeric entities, and the one `<br/>` that Parley inserts.
 */
const LABEL = /\["(?:[\p{L}\p{M}\p{N} .,/_-]|#\d+;)*<br\/>(?:[\p{L}\p{M}\p{N} .,/_-]|#\d+;)*"\]/u;

const task = (id: string, title: string, ...depends_on: string[]): ContractTask => ({
  id,
  title,
  assignee: 'agent_a',
  requirements: [],
  interfaces: [],
  depends_on,
  deliverables: [],
  done_when: [],
});

const drawn = (tasks: ContractTask[]): string[] => treeOf(taskGraph({ tasks })).children?.[0]?.value?.split('\n') ?? [];

describe('taskGraph', () => {
  test('draws each dependency once and leaves out what is unknown', () => {
    expect(drawn([task('a', 'First'), task('b', 'Then', 'a', 'a', 'nobody')]).slice(0, 4)).toEqual([
      'graph LR',
      '  t1["a<br/>First"]:::agent_a',
      '  t2["b<br/>Then"]:::agent_a',
      '  t1 --> t2',
    ]);
  });

  test('shows the marks of a title as entities', () => {
    const [, , node] = drawn([task('a', 'First'), task('b', '"]; click t1 %%{x}%%', 'a')]);
    expect(node).toBe('  t2["b<br/>#34;#93;#59; click t1 #37;#37;#123;x#125;#37;#37;"]:::agent_a');
  });

  test('does not begin a Markdown list with a title', () => {
    const [, one, two] = drawn([task('a', '1. First'), task('b', '- Then', 'a')]);
    expect([one, two]).toEqual(['  t1["a<br/>1#46; First"]:::agent_a', '  t2["b<br/>#45; Then"]:::agent_a']);
  });

  test('cuts a long title', () => {
    const [, node] = drawn([task('a', 'x'.repeat(100)), task('b', 'y', 'a')]);
    expect(node).toBe(`  t1["a<br/>${'x'.repeat(47)}#8230;"]:::agent_a`);
  });

  test('has lines of four forms, whatever the titles say', () => {
    fc.assert(
      fc.property(nastyText, nastyText, (one, two) => {
        const lines = drawn([task('a', one), task('b', two, 'a')]);
        expect(lines.filter((line) => !LINES.some((form) => form.test(line)))).toEqual([]);
        expect(lines).toHaveLength(6);
        expect(lines.slice(1, 3).filter((line) => !LABEL.test(line))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('states that no task waits', () => {
    expect(taskGraph({ tasks: [task('a', 'First')] })).toBe('No task waits for another.');
  });

  test('is left out if it has too many tasks to be readable', () => {
    const tasks = Array.from({ length: 151 }, (_, index) => task(`t${index}`, 'One', `t${index - 1}`));
    expect(taskGraph({ tasks })).toBe(
      'The drawing is left out: nobody could read 151 tasks and 150 dependencies in one drawing.',
    );
    expect(drawn(tasks.slice(0, 150))).toHaveLength(1 + 150 + 149 + 2);
  });
});
