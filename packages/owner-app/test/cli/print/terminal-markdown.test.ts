import { expect, test } from 'vitest';
import { terminalMarkdown } from '../../../src/cli/print/contract/terminal-markdown.ts';
import { createPaint } from '../../../src/text/page.ts';

const page = { columns: 40, paint: createPaint(false) };
const shown = (...lines: string[]): string[] => terminalMarkdown(lines.join('\n'), page);

test('a text has no escapes, and code spans stay', () => {
  expect(shown('## The file V043\\_\\_idem', '', 't=\\<seconds> and `a\\_b`\\', '1. One')).toEqual([
    'The file V043__idem',
    '',
    't=<seconds> and `a\\_b`',
    '1. One',
  ]);
});

test('the drawing of the tasks is one line', () => {
  expect(shown('```mermaid', 'graph LR', '  t1 --> t2', '```', 'Then.')).toEqual([
    'task graph: see the console or --md',
    'Then.',
  ]);
});

test('a row of a table is a record with the columns in their order', () => {
  const table = [
    '| Test | Given | When | Then |',
    '| --- | --- | --- | --- |',
    '| `t-1` Frees | A key that is \\| in progress. | It is \\_killed\\_ at the end. | `a\\|b` is free. |',
    '| `t-2` Waits | One. |  | Two. |',
  ];
  expect(shown(...table)).toEqual([
    '`t-1` Frees',
    '  Given  A key that is | in progress.',
    '  When   It is _killed_ at the end.',
    '  Then   `a|b` is free.',
    '',
    '`t-2` Waits',
    '  Given  One.',
    '  Then   Two.',
  ]);
});

test('JSON is not broken inside a string, and a text in a code block is wrapped', () => {
  const code = ['```json', '{', '  "note": "a string with blanks that is longer than the line", "type": 1', '}', '```'];
  expect(shown(...code, '```text', 'The lock is held by the transaction until its end.', '```')).toEqual([
    '  {',
    '    "note":',
    '      "a string with blanks that is longer than the line",',
    '      "type": 1',
    '  }',
    '  The lock is held by the transaction',
    '  until its end.',
  ]);
});

test('a code block in an item of a list ends with its fence', () => {
  expect(shown('- ```json', '  {', '    "a": 1', '  }', '  ```', '## Next')).toEqual([
    '-   {',
    '      "a": 1',
    '    }',
    'Next',
  ]);
});

test('code spans are closed by as many backticks, and backticks without an end are text', () => {
  expect(shown('``a ` \\_ b`` \\_', '`a\\_', '```a`\\_`', '\\``a\\_` **b**', '`a` ``b\\_')).toEqual([
    '``a ` \\_ b`` _',
    '`a_',
    '```a`_`',
    '``a\\_` b',
    '`a` ``b_',
  ]);
});

test.each([
  ['runs of backticks of many lengths', Array.from({ length: 360 }, (_, at) => '`'.repeat(at + 1)).join(' ')],
  ['many runs of backticks', '`` ` '.repeat(13_000)],
  ['one run of backticks', '`'.repeat(64_000)],
  ['blanks', `a${' '.repeat(64_000)}b`],
  ['wide letters', '\u6f22'.repeat(64_000)],
  ['empty code blocks', '```\n```\n'.repeat(20_000)],
  ['empty tables', '|a|\n| --- |\n'.repeat(20_000)],
])('a text of %s takes a time that grows with its length', (_what, text) => {
  const startedAt = performance.now();
  terminalMarkdown(text, page);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
