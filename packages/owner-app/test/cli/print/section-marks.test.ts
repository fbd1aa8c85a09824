import { expect, test } from 'vitest';
import {
  leftOutText,
  markedMarkdown,
  readMarks,
  unreadMarkdown,
} from '../../../src/cli/print/contract/section-marks.ts';

const MARKDOWN = [
  '# Refunds',
  '',
  '## Scope',
  '',
  '## Tasks',
  '',
  '- [ ] `t-1` Build',
  '',
  '```text',
  '## Tests',
  '```',
  '',
  '## Tests',
  '',
  '### `test-1` Refund',
  '',
  '## Risks',
  '',
  '| Risk | Assignee |',
  '| --- | --- |',
  '| `risk-1` | `agent_a` |',
  '',
  '## Safety conditions',
].join('\n');

const brief = {
  revision_id: 'r_2',
  since: 'r_1',
  unread: ['tests', 'safety_conditions'],
  changes: [
    { section: 'title', count: 1 },
    { section: 'tests', count: 2 },
    { section: 'risks', count: 1 },
    { section: 'safety_conditions', count: 3 },
  ],
  reading: { read: 10, of: 12 },
};

const changeOf = (record: string, kind: string, path: string) => ({ record, changes: [{ kind, path }] });
const changes = {
  sections: [
    { section: 'tests', count: 2, records: [changeOf('test-1', 'ADDED', '/tests/0')] },
    { section: 'risks', count: 1, records: [changeOf('risk-1', 'CHANGED', '/risks/0/text')] },
  ],
};

const headings = (markdown: string): string[] => markdown.split('\n').filter((line) => /^[#|-]/.test(line));

test('each section says how often it changed and whether it was read, and each record whether it is new or changed', () => {
  expect(headings(markedMarkdown(MARKDOWN, readMarks(brief, changes)))).toEqual([
    '# Refunds (1 change since r_1, read)',
    '## Scope',
    '## Tasks (read)',
    '- [ ] `t-1` Build',
    '## Tests',
    '## Tests (2 changes since r_1, not read)',
    '### `test-1` (new) Refund',
    '## Risks (4 changes since r_1, not read)',
    '| Risk | Assignee |',
    '| --- | --- |',
    '| `risk-1` (changed) | `agent_a` |',
    '## Safety conditions',
  ]);
});

test('the unread part has only the sections that were not read, and names the others', () => {
  const marks = readMarks(brief, changes);
  expect(headings(unreadMarkdown(MARKDOWN, marks))).toEqual([
    '## Tests (2 changes since r_1, not read)',
    '### `test-1` (new) Refund',
    '## Risks (4 changes since r_1, not read)',
    '| Risk | Assignee |',
    '| --- | --- |',
    '| `risk-1` (changed) | `agent_a` |',
    '## Safety conditions',
  ]);
  expect(leftOutText(MARKDOWN, marks)).toBe('r_2: 10 of 12 sections read. Left out: requirements, summary, tasks.');
});

test('a reader without an earlier revision sees no record marked as new', () => {
  const marks = readMarks({ ...brief, since: null }, changes);
  expect(headings(markedMarkdown(MARKDOWN, marks)).slice(5, 7)).toEqual(['## Tests (not read)', '### `test-1` Refund']);
});

test('a document without sections is unread while any section is unread', () => {
  expect(unreadMarkdown('# A contract that breaks its schema', readMarks(brief, changes))).toBe(
    '# A contract that breaks its schema (not read)',
  );
});
