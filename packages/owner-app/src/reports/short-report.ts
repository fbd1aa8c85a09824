import type { ReportedTest, TestReport } from './test-report.ts';

/** Limits of the service for the report of a run. */
const MOST_TESTS = 100;
const MOST_NAME_CHARS = 300;

export function countsOf({ tests, otherFailures }: TestReport) {
  const count = (status: ReportedTest['status']): number => tests.filter((test) => test.status === status).length;
  return { passed: count('passed'), failed: count('failed') + otherFailures, skipped: count('skipped') };
}

export const isNamed = (
  name: string,
  test: Pick<ReportedTest, 'name'> & { readonly suite?: string | undefined },
): boolean => test.name === name || (test.suite !== undefined && `${test.suite} > ${test.name}` === name);

/** The results of a test, the worst first. */
export const WORST_FIRST = ['failed', 'skipped', 'passed'] as const;

/** The counts, and first the worst result of each test that the contract names, then what failed, was skipped and passed. */
export function shortReport(names: readonly string[], report: TestReport) {
  const { format, sha256, size, tests } = report;
  const rank = ({ status }: ReportedTest): number => WORST_FIRST.indexOf(status);
  const ranked = tests.toSorted((one, other) => rank(one) - rank(other));
  const first = new Set(names.flatMap((name) => ranked.find((test) => isNamed(name, test)) ?? []));
  const listed = [...tests.filter((test) => first.has(test)), ...ranked.filter((test) => !first.has(test))]
    .slice(0, MOST_TESTS)
    .map(({ name, suite, status }) => ({
      name: cut(name, MOST_NAME_CHARS),
      ...(suite !== undefined && { suite: cut(suite, MOST_NAME_CHARS) }),
      status,
    }));
  return { format, sha256, size, ...countsOf(report), tests: listed };
}

export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
