import { describe, expect, test } from 'vitest';
import {
  leftOutText,
  markedMarkdown,
  readMarks,
  unreadMarkdown,
} from '../../../src/cli/print/contract/contract-answer.ts';
import { answerOf } from '../../answer-of.ts';

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

const marksOf = (brief: object, changes: object, readBefore?: ReadonlySet<string>) =>
  readMarks(answerOf('brief', brief), answerOf('changes', changes), readBefore);

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

/** The headings of the sections that were not read. */
const UNREAD = [
  '## Tests (2 changes since r_1, not read)',
  '### `test-1` (new) Refund',
  '## Risks (4 changes since r_1, not read)',
  '| Risk | Assignee |',
  '| --- | --- |',
  '| `risk-1` (changed) | `agent_a` |',
  '## Safety conditions',
];

const headings = (markdown: string): string[] => markdown.split('\n').filter((line) => /^[#|-]/.test(line));

test('each section says how often it changed and whether it was read, and each record whether it is new or changed', () => {
  expect(headings(markedMarkdown(MARKDOWN, marksOf(brief, changes)))).toEqual([
    '# Refunds (1 change since r_1, read)',
    '## Scope',
    '## Tasks (read)',
    '- [ ] `t-1` Build',
    '## Tests',
    ...UNREAD,
  ]);
});

test('the unread part has only the sections that were not read, and names the others', () => {
  const marks = marksOf(brief, changes);
  expect(headings(unreadMarkdown(MARKDOWN, marks))).toEqual(UNREAD);
  expect(leftOutText(MARKDOWN, marks)).toBe('r_2: 10 of 12 sections read. Left out: requirements, summary, tasks.');
});

describe('of a section that the owner has read in an earlier revision, the unread part', () => {
  const markdown = [
    '## Interfaces',
    '',
    '### `if-a` Capture',
    '',
    '```text',
    '### `if-b` no heading',
    '```',
    '',
    '### `if-b` Look up',
    '',
    '- `x` Text',
    '',
    '## Tasks',
    '',
    '### Tasks of `agent_a`',
    '',
    '- [ ] `t-1` Build',
    '  - Done when: built',
    '- [ ] `t-2` Send',
    '',
    '### Tasks of `agent_b`',
    '',
    '- [ ] `t-3` Book',
    '  - Done when: booked',
    '',
    '### Order of tasks',
    '',
    't-1 before t-2',
    '',
    '## Gates',
    '',
    '### Before build',
    '',
    '| Gate | Condition |',
    '| --- | --- |',
    '| `gate-1` | One |',
    '| `gate-2` | Two |',
    '',
    '## Rollout',
    '',
    '1. Deploy',
    '',
  ].join('\n');
  const unread = ['interfaces', 'tasks', 'gates', 'rollout'];
  const sections = [
    { section: 'interfaces', count: 1, records: [changeOf('if-b', 'CHANGED', '/interfaces/1/name')] },
    {
      section: 'tasks',
      count: 2,
      records: [changeOf('t-3', 'ADDED', '/tasks/2'), changeOf('t-9', 'REMOVED', '/tasks/3')],
    },
    { section: 'gates', count: 1, records: [changeOf('gate-2', 'CHANGED', '/gates/1/condition')] },
    { section: 'rollout', count: 1, records: [{ record: null, changes: [{ kind: 'CHANGED', path: '/rollout' }] }] },
  ];
  const textOf = (readBefore: readonly string[], changed = sections): string[] =>
    unreadMarkdown(
      markdown,
      marksOf({ revision_id: 'r_2', since: 'r_1', unread }, { sections: changed }, new Set(readBefore)),
    ).split('\n');

  test('has the new and changed records, and counts the others', () => {
    expect(textOf(['interfaces', 'tasks', 'gates', 'rollout'])).toEqual([
      '## Interfaces (not read)',
      '',
      '### `if-b` (changed) Look up',
      '',
      '- `x` Text',
      '',
      '1 record unchanged since r_1, when you read the section.',
      '',
      '## Tasks (not read)',
      '',
      '### Tasks of `agent_b`',
      '',
      '- [ ] `t-3` (new) Book',
      '  - Done when: booked',
      '',
      'Removed since r_1: `t-9`.',
      '',
      '2 records unchanged since r_1, when you read the section.',
      '',
      '## Gates (not read)',
      '',
      '### Before build',
      '',
      '| Gate | Condition |',
      '| --- | --- |',
      '| `gate-2` (changed) | Two |',
      '',
      '1 record unchanged since r_1, when you read the section.',
      '',
      '## Rollout (not read)',
      '',
      '1. Deploy',
      '',
    ]);
  });

  test('has no record of a read list that belongs to the same section as an unread one', () => {
    const text = [
      '## Risks',
      '',
      '| Risk |',
      '| --- |',
      '| `risk-1` |',
      '',
      '## Safety conditions',
      '',
      '- `safe-1` New',
    ];
    const change = { section: 'safety_conditions', count: 1 };
    const marks = marksOf(
      { revision_id: 'r_2', since: 'r_1', unread: ['safety_conditions'], changes: [change] },
      { sections: [{ ...change, records: [changeOf('safe-1', 'ADDED', '/safety_conditions/0')] }] },
      new Set(['safety_conditions']),
    );
    expect(unreadMarkdown(text.join('\n'), marks).split('\n')).toEqual([
      '## Risks (1 change since r_1, not read)',
      '',
      '1 record unchanged since r_1, when you read the section.',
      '',
      '## Safety conditions',
      '',
      '- `safe-1` (new) New',
      '',
    ]);
  });

  test('has the whole section if the owner has not read the earlier text', () => {
    const whole = textOf([]);
    expect(whole).toHaveLength(markdown.split('\n').length);
    expect(whole).toContain('- [ ] `t-1` Build');
  });

  test('has the whole section if not every change is listed, or if a changed record is not in the document', () => {
    const changeOfGate = changeOf('gate-7', 'CHANGED', '/gates/1/condition');
    for (const gates of [
      { section: 'gates', count: 2, records: [changeOf('gate-2', 'CHANGED', '/gates/1/condition')] },
      { section: 'gates', count: 1, records: [changeOfGate] },
    ])
      expect(textOf(['gates'], [gates])).toContain('| `gate-1` | One |');
  });
});

test('a reader without an earlier revision sees no record marked as new', () => {
  const marks = marksOf({ ...brief, since: null }, changes);
  expect(headings(markedMarkdown(MARKDOWN, marks)).slice(5, 7)).toEqual(['## Tests (not read)', '### `test-1` Refund']);
});

test('a document without sections is unread while any section is unread', () => {
  expect(unreadMarkdown('# A contract that breaks its schema', marksOf(brief, changes))).toBe(
    '# A contract that breaks its schema (not read)',
  );
});
