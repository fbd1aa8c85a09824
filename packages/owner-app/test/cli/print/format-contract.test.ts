import { describe, expect, test } from 'vitest';
import { largeContract } from '../../../../../test/browser/support/large-contract.ts';
import { showAnswer } from '../../../src/cli/print/answer-view.ts';
import { contractSummary, revisionFacts, sectionOf } from '../../../src/cli/print/contract/format-contract.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { createPaint } from '../../../src/text/style.ts';
import { answerOf } from '../../answer-of.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

const page = { columns: 80, paint: createPaint(false) };
const view = {
  requirements: [{ requirement_id: 'req-1', text: 'Captured once.', acceptance_criteria: ['Twice is once.'] }],
};
const contract = { ...largeContract() };

describe('one section of a contract', () => {
  test.each(['tasks', 'data-models', 'safety_conditions', 'Rollout'])('is found by the name %s', (name) => {
    expect(sectionOf(contract, name, { view, page }).length).toBeGreaterThan(0);
  });

  test('operations contains the operations of all interfaces, with requests, responses and errors', () => {
    const lines = sectionOf(contract, 'operations', { view, page: { ...page, columns: UNLIMITED } });
    expect(lines.filter((line) => line.startsWith('POST /v1/captures/'))).toHaveLength(10);
    expect(lines).toContain('response  201 with the capture.');
    expect(lines.join('\n')).toContain('LEDGER_BUSY');
  });

  test('tests shows given, when and then of each test in this order', () => {
    const lines = sectionOf(contract, 'tests', { view, page: { ...page, columns: UNLIMITED } });
    const names = lines.map((line) => line.split(' ')[0]).filter((name) => /^(given|when|then)$/.test(name ?? ''));
    expect(names.slice(0, 6)).toEqual(['given', 'when', 'then', 'given', 'when', 'then']);
  });

  test('requirements contains the requirements of the session with their acceptance criteria', () => {
    expect(sectionOf(contract, 'requirements', { view, page })).toEqual([
      'requirements',
      '  req-1  Captured once.',
      '  accepted if: Twice is once.',
    ]);
  });

  test('that does not exist is refused with a list of the existing sections', () => {
    expect(() => sectionOf(contract, 'constructor', { view, page })).toThrow(
      'The contract has no section "constructor". Its sections: title, summary, scope, decisions, interfaces,',
    );
  });
});

describe('the summary of a contract of 44 kB', () => {
  const revision = { ...answerOf('revision', { revision_id: 'r_3', content_hash: 'ab' }), contract };
  const lines = contractSummary(revision, 'parley plan S', { view, page });

  test('is at most as wide as the terminal', () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('contains the number of records in each section, and all records', () => {
    expect(lines[0]).toBe('r_3  A payment is captured exactly once');
    expect(lines).toContain('tasks (20)');
    expect(lines).toContain('  task-0   agent_a  Work package 0');
    expect(lines).toContain('  task-19  agent_b  Work package 19');
  });

  test('contains each requirement with its acceptance criteria', () => {
    expect(lines).toContain('  req-1  Captured once.');
    expect(lines).toContain('  accepted if: Twice is once.');
  });

  test('contains the command that prints a whole section', () => {
    expect(lines.join(' ')).toContain(
      'To print one section in full: parley plan S --section operations, or another section: title, summary',
    );
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
