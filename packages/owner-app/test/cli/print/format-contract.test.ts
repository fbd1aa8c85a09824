import { describe, expect, test } from 'vitest';
import { largeContract } from '../../../../../test/browser/support/large-contract.ts';
import { Contract } from '../../../../core/src/areas/document/contract.ts';
import { renderContract } from '../../../../core/src/areas/rendering/contract.ts';
import { showAnswer } from '../../../src/cli/print/answer-view.ts';
import type { ContractPart } from '../../../src/cli/print/contract/contract-answer.ts';
import { revisionFacts } from '../../../src/cli/print/contract/format-contract.ts';
import { answerOf } from '../../answer-of.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

const view = answerOf('view', {
  requirements: [{ requirement_id: 'req-1', text: 'Captured once.', acceptance_criteria: ['Twice is once.'] }],
});
const markdown = renderContract(Contract.parse(largeContract()));
const revision = answerOf('revision', { revision_id: 'r_3', content_hash: 'ab', markdown });
const linesOf = (part: ContractPart): string[] =>
  showAnswer('revision', revision, { terminal: fakeTerminal({}, 80), url: '', sessionId: 'S', part, view });
const sectionOf = (section: string): string[] => linesOf({ section });

describe('one section of a contract', () => {
  test.each([
    ['tasks', 'Tasks'],
    ['data-models', 'Data models'],
    ['Rollout', 'Rollout'],
    ['operations', 'Interfaces'],
    ['fixture_version', 'A payment is captured exactly once'],
  ])('is found by the name %s', (name, heading) => {
    expect(sectionOf(name)[0]).toBe(heading);
  });

  test('requirements contains the requirements of the session with their acceptance criteria', () => {
    expect(sectionOf('requirements')).toEqual([
      'requirements',
      '  req-1  Captured once.',
      '  accepted if: Twice is once.',
    ]);
  });

  test('artifacts has their contents below the table', () => {
    const artifacts = [
      { filename: 'seed.sql', media_type: 'text/plain', audience: 'both', content: 'insert 1;\ninsert 2;' },
    ];
    const contract = Contract.parse({ ...largeContract(), artifacts });
    const withFile = answerOf('revision', {
      revision_id: 'r_3',
      content_hash: 'ab',
      contract,
      markdown: renderContract(contract),
    });
    const shown = { terminal: fakeTerminal({}, 80), url: '', sessionId: 'S', part: { section: 'Artifacts' }, view };
    expect(showAnswer('revision', withFile, shown).slice(-3)).toEqual(['seed.sql', 'insert 1;', 'insert 2;']);
  });

  test('that does not exist is refused with a list of the existing sections', () => {
    expect(() => sectionOf('constructor')).toThrow(
      'The contract has no section "constructor". Its sections: summary, scope, decisions, interfaces,',
    );
  });
});

describe('a contract that has no document with sections', () => {
  const shown = { terminal: fakeTerminal({}, 80), url: '', sessionId: 'S', view };

  test.each(['summary', { section: 'tasks' }] as const)('is refused for %j, with the command that reads it', (part) => {
    const answered = (text: string | null) => () =>
      showAnswer('plan', answerOf('plan', { revision_id: 'r_3', content_hash: 'ab', markdown: text }), {
        ...shown,
        part,
      });
    expect(answered(null)).toThrow(
      'The contract is too long for one answer. Read it in pieces: parley plan S --part markdown',
    );
    expect(answered('```json\n{}\n```')).toThrow(
      'The contract breaks its schema and has no sections. Read it whole: parley plan S',
    );
  });
});

describe('the summary of a contract of 44 kB', () => {
  const lines = linesOf('summary');

  test('is at most as wide as the terminal', () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('contains the revision, the title and a line for each record', () => {
    expect(lines.slice(0, 4)).toEqual([
      'revision_id   r_3',
      'content_hash  ab',
      '',
      'A payment is captured exactly once',
    ]);
    expect(lines.filter((line) => line.startsWith('  `task-'))).toHaveLength(20);
    expect(lines).toContain('  `task-19` Work package 19');
  });

  test('contains each requirement with its acceptance criteria', () => {
    expect(lines).toContain('  accepted if: Twice is once.');
  });

  test('contains the command that prints a whole section', () => {
    expect(lines.at(-1)).toContain('--section NAME');
  });
});

test('the facts above a contract say nothing twice', () => {
  const review = {
    by: 'agent_a',
    revision_id: 'r_3',
    content_hash: 'ab',
    outdated: false,
    verdict: 'APPROVE',
    submitted_at: '2026-11-27T12:10:24.888Z',
    caveats: ['Watch.', 'Wait.'],
  };
  const caveat = { finding_id: 'f_4', by: 'agent_a', revision_id: 'r_3', text: 'Watch.', answer: null };
  const warning = { code: 'W', severity: 'warning', pointer: '', message: 'Look.', hint: '' };
  const facts = {
    open_caveats: [caveat],
    ...{ revision_id: 'r_3', content_hash: 'ab', title: 'T' },
    ...{ validation_errors: [], validation_warnings: [warning], error_count: 0, warning_count: 1 },
    reviews: [review, { ...review, by: 'agent_b', revision_id: 'r_2', content_hash: 'cd', caveats: ['Watch.'] }],
  };
  const { verdict, submitted_at } = review;
  expect(revisionFacts(answerOf('plan', facts))).toEqual({
    open_caveats: [caveat],
    ...{ revision_id: 'r_3', content_hash: 'ab', head: { seq: 0, hash: '' }, status: null, certified: false },
    ...{ parent_id: null, bytes: null, author: null, reason: null, created_at: null, validator_version: null },
    ...{ validation_warnings: [warning], error_count: 0 },
    reviews: [
      { by: 'agent_a', outdated: false, verdict, submitted_at, caveats: ['Wait.'] },
      { by: 'agent_b', outdated: false, verdict, submitted_at, revision_id: 'r_2', content_hash: 'cd' },
    ],
  });
});

test('a whole contract ends with the command that marks it as read; the Markdown document does not', () => {
  const answer = answerOf('plan', {
    revision_id: 'r_3',
    created_at: '2026-11-27T12:10:24.888Z',
    markdown: '# Stock\n',
  });
  const terminal = fakeTerminal({}, 100);
  const linesOf = (part?: 'markdown') => showAnswer('plan', answer, { terminal, url: '', sessionId: 'S', part });
  expect(linesOf()).toContainEqual(expect.stringMatching(/^created_at +2026-11-27 12:10 UTC$/));
  expect(linesOf().at(-1)).toBe('To mark r_3 as read: parley mark-read S --revision-id r_3 --sections all');
  expect(linesOf('markdown').at(-1)).not.toContain('mark-read');
});
