import { expect, test } from 'vitest';
import { evidenceOf } from '../../../src/cli/verify/run-command.ts';
import type { ReportedTest } from '../../../src/reports/test-report.ts';

const listedOf = (tests: readonly ReportedTest[], names: readonly string[]) =>
  evidenceOf({
    ...{ argv: ['npm', 'test'], ran: { exit_code: 0, duration_ms: 1, output: '' } },
    ...{
      commit: 'a'.repeat(40),
      isDeclared: true,
      changed: [],
      names,
      kind: 'test_report',
      requestId: 'r',
      attached: [],
    },
    report: { format: 'junit', sha256: 'd'.repeat(64), size: 1, tests, otherFailures: 0 },
  }).run?.report?.tests;

const times = (count: number, test: ReportedTest): ReportedTest[] => Array.from({ length: count }, () => ({ ...test }));

test('the list of at most 100 tests begins with the worst result of each test that the contract names', () => {
  const listed = listedOf(
    [
      ...times(120, { name: 'books once', suite: 'captures', status: 'passed' }),
      { name: 'books once', status: 'skipped' },
      ...times(120, { name: 'other', status: 'skipped' }),
      { name: 'keeps the key', status: 'passed' },
      { name: 'x', status: 'failed' },
    ],
    ['books once', 'keeps the key', 'captures > books once'],
  );
  expect(listed).toHaveLength(100);
  expect(listed?.slice(0, 5)).toEqual([
    { name: 'books once', suite: 'captures', status: 'passed' },
    { name: 'books once', status: 'skipped' },
    { name: 'keeps the key', status: 'passed' },
    { name: 'x', status: 'failed' },
    { name: 'other', status: 'skipped' },
  ]);
});
