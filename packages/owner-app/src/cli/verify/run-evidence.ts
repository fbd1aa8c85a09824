import { randomUUID } from 'node:crypto';
import type { ToolInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { countsOf, cut, isNamed, shortReport, WORST_FIRST } from '../../reports/short-report.ts';
import type { TestReport } from '../../reports/test-report.ts';
import { shellWord, visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type Attachment, attachedLine } from './attach.ts';
import type { Ran } from './run-command.ts';

export type EvidenceItem = Omit<ToolInput<'verify_submit_evidence'>, 'scenario_id' | 'attempt'>;

/** A run with all that its evidence says. */
export interface FinishedRun {
  readonly argv: readonly string[];
  readonly ran: Ran;
  /** The commit that was checked out. */
  readonly commit: string;
  readonly isDeclared: boolean;
  /** Paths that differed from the commit before or after the run. */
  readonly changed: readonly string[];
  readonly report?: TestReport | undefined;
  /** The tests that the contract names for this side. */
  readonly names: readonly string[];
  readonly kind: EvidenceItem['kind'];
  readonly requestId: string;
  readonly attached: readonly Attachment[];
}

/** Limits of the service, in characters and items. */
const MOST = { claim: 1_000, summary: 4_000, arguments: 50, argument: 500, paths: 20 };

/** The item of evidence that a run gives. Its texts are made of the run alone: nobody writes them. */
export function evidenceOf(run: FinishedRun): EvidenceItem {
  const { argv, ran, commit, changed, report, kind, requestId } = run;
  const { output, ...ended } = ran;
  const code = ran.exit_code ?? ran.signal ?? null;
  return {
    kind,
    claim: cut(`${commandLine(argv)} ${endText(run)}`, MOST.claim),
    summary: cut(summaryLines(run).join('\n'), MOST.summary),
    request_id: requestId,
    assertions: [{ name: 'exit code', expected: 0, actual: code, passed: code === 0 }],
    evidence_key: randomUUID(),
    run: {
      argv: shortArguments(argv),
      ...ended,
      commit,
      dirty: changed.length > 0,
      ...(report && { report: shortReport(run.names, report) }),
      ...(output !== '' && { output }),
    },
  };
}

export const commandLine = (argv: readonly string[]): string => visibleLine(argv.map(shellWord).join(' '));

/** How a run ended, such as `ended with exit code 0 after 1.4 s; 12 passed, 0 failed, 1 skipped`. */
export function endText({ ran, report }: FinishedRun): string {
  const how = ran.exit_code === null ? `was ended by ${ran.signal}` : `ended with exit code ${ran.exit_code}`;
  const after = `${how} after ${(ran.duration_ms / 1_000).toFixed(1)} s`;
  if (!report) return after;
  const { passed, failed, skipped } = countsOf(report);
  return `${after}; ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Why the run does not show what it should: one text for each reason. Empty for a run that counts. */
export function faultsOf(run: FinishedRun): string[] {
  const { ran, isDeclared, changed, report, names, commit } = run;
  const { failed, passed } = report ? countsOf(report) : { failed: 0, passed: 1 };
  return [
    ...(ran.exit_code === 0 ? [] : ['The command failed.']),
    ...(failed > 0 ? [`${plural(failed, 'test')} failed.`] : []),
    ...(passed + failed === 0 ? ['No test ran, so the run does not count as recorded.'] : []),
    ...(isDeclared ? [] : [`Commit ${commit} is not declared, so the run does not count as recorded.`]),
    ...(changed.length === 0
      ? []
      : [`Files differ from the commit, so the run does not count as recorded: ${shownPaths(changed)}.`]),
    ...names.flatMap((name) => {
      const result = resultOf(name, report);
      return result === 'passed' ? [] : [`The contract names the test ${visibleLine(name)}: ${result}.`];
    }),
  ];
}

const shownPaths = (paths: readonly string[]): string => {
  const left = paths.length - MOST.paths;
  return `${paths.slice(0, MOST.paths).map(visibleLine).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
};

function summaryLines(run: FinishedRun): string[] {
  return [
    'Run by parley verify run.',
    ...(run.report ? [] : ['Without a report of tests.']),
    ...run.attached.map(attachedLine),
    ...faultsOf(run),
    ...(run.ran.output === '' ? ['The command printed nothing.'] : []),
  ];
}

/** What a report says about a test that the contract names: the worst result, if it has the test more than once. */
function resultOf(name: string, report: TestReport | undefined): string {
  if (!report) return 'there is no report';
  const found = report.tests.filter((test) => isNamed(name, test)).map(({ status }) => status);
  return WORST_FIRST.find((one) => found.includes(one)) ?? 'not in the report';
}

/** The first arguments of a command. The last one says how many were left out. */
function shortArguments(argv: readonly string[]): string[] {
  const shown = argv.map((argument) => cut(argument, MOST.argument));
  if (shown.length <= MOST.arguments) return shown;
  return [...shown.slice(0, MOST.arguments - 1), `… and ${argv.length - MOST.arguments + 1} more arguments`];
}

/**
 * The item without what the service takes for a credential: the end of the output, and names of tests that the contract does
 * not name. Undefined if it is something else, which the evidence needs.
 *
 * @param paths where the service found it
 * @throws CliError REFUSED if it is the name of a test that the contract names
 */
export function withoutCredentials({ run, ...item }: EvidenceItem, { names }: FinishedRun, paths: readonly string[]) {
  const found = paths.map((path) => /(?:^|\.)run\.(?:output|report\.tests\[(\d+)\]\.(?:name|suite))$/.exec(path));
  if (!run || found.length === 0 || found.includes(null)) return undefined;
  const hidden = found.flatMap((match) => (match?.[1] === undefined ? [] : [Number(match[1])]));
  const { output, report, ...rest } = run;
  for (const test of hidden.flatMap((at) => report?.tests[at] ?? [])) {
    const name = names.find((one) => isNamed(one, test));
    if (name !== undefined)
      throw new CliError(
        EXIT.REFUSED,
        `The test ${visibleLine(name)}, which the contract names, looks like a credential or is in a suite that does. Give it another name. Nothing was sent.`,
      );
  }
  const tests = report?.tests.map((test, at) =>
    hidden.includes(at) ? { name: '[secret]', status: test.status } : test,
  );
  const left = found.length > hidden.length ? undefined : output;
  const what = [
    ...(hidden.length > 0 ? [`the names of ${plural(hidden.length, 'test')}`] : []),
    ...(left === output ? [] : ['the end of the output']),
  ];
  return {
    item: {
      ...item,
      run: { ...rest, ...(report && tests && { report: { ...report, tests } }), ...(left && { output: left }) },
    },
    note: `Left out is what looks like a credential: ${what.join(' and ')}.`,
  };
}
