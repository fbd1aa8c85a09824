import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { visible, visibleLine } from '../text/visible.ts';

export const EVIDENCE_KINDS = [
  'test_report',
  'http_exchange',
  'log',
  'trace',
  'screenshot',
  'metric',
  'manual',
] as const;

export const REPORT_FORMATS = ['junit', 'ctrf', 'tap'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ReportedTest {
  readonly name: string;
  /** The names around the test, such as its class or its subtests. */
  readonly suite?: string;
  readonly status: 'passed' | 'failed' | 'skipped';
}

/** A report of tests, in any format. */
export interface TestReport {
  readonly format: ReportFormat;
  readonly sha256: string;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly tests: readonly ReportedTest[];
  /** Failures that the report counts without a test, such as a suite that did not start. */
  readonly otherFailures: number;
}

type Parsed = Pick<TestReport, 'tests' | 'otherFailures'>;

/** A report has to be smaller than this many bytes, and to have fewer than this many tests. */
export const BYTES_LIMIT = 50_000_000;
const TESTS_LIMIT = 100_000;

/** Refuses a report for a reason, a sentence that begins in lower case. */
export type Refuse = (reason: string) => never;

/** Reads the bytes of a report. Nothing of it is trusted: neither its encoding nor its markup. */
export async function parseReport(format: ReportFormat, bytes: Buffer, refuse: Refuse): Promise<TestReport> {
  const parsed = await parsedIn(format, textOf(bytes, refuse), refuse);
  for (const { name, suite = '' } of parsed.tests)
    if (visible(name) !== name || visible(suite) !== suite)
      refuse(
        `the test ${visibleLine(name).slice(0, 200)} has a control character or an invisible character in its name.`,
      );
  return { format, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, ...parsed };
}

async function parsedIn(format: ReportFormat, text: string, refuse: Refuse): Promise<Parsed> {
  try {
    return await PARSERS[format](text, refuse);
  } catch (error) {
    // What the parsers of other authors throw when their stack is used up.
    if (error instanceof RangeError) refuse('it has a line that is too long, or is nested too deeply.');
    throw error;
  }
}

function textOf(bytes: Buffer, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('it is not UTF-8.');
  }
}

/** Characters that are parsed without a pause: less than 10 ms, so that a server answers others between them. */
const PIECE = 65_536;

async function inPieces(text: string, parse: (piece: string) => void): Promise<void> {
  for (let at = 0; at < text.length; at += PIECE) {
    parse(text.slice(at, at + PIECE));
    await setImmediate();
  }
}

/** A list of tests that grows up to the limit. The blanks in names are made single spaces. */
function testList(refuse: Refuse) {
  const tests: ReportedTest[] = [];
  return {
    tests,
    add(name: string, suite: string, status: ReportedTest['status']): void {
      if (tests.length + 1 >= TESTS_LIMIT)
        refuse(`it has too many tests; a report must have fewer than ${TESTS_LIMIT}.`);
      const around = oneLine(suite);
      tests.push({ name: oneLine(name), ...(around && { suite: around }), status });
    },
  };
}

const oneLine = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim();

const PARSERS: Readonly<Record<ReportFormat, (text: string, refuse: Refuse) => Promise<Parsed> | Parsed>> = {
  junit: parseJUnit,
  ctrf: parseCtrf,
  tap: parseTap,
};

/** Elements of JUnit XML inside a test case, with what they say about it. */
const OUTCOMES: ReadonlyMap<string, ReportedTest['status']> = new Map([
  ['failure', 'failed'],
  ['error', 'failed'],
  ['skipped', 'skipped'],
]);
/** Words of `status` and `result` with which GoogleTest and others mark a test that did not run, and one that passed. */
const NOT_RUN = /^(?:notrun|disabled|skipped|suppressed|ignored|pending)$/i;
const PASSED = /^(?:|run|completed|passed|success)$/i;

type Attributes = Readonly<Record<string, string>>;

/** Failures inside an element: those that it counts itself, and those that are found in it. The higher number counts. */
interface Level {
  readonly declared: number;
  found: number;
}

/** XML without a document type: a DTD is where entities are declared, so none can be, and nothing refers to other files. */
async function parseJUnit(text: string, refuse: Refuse): Promise<Parsed> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ fragment: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const list = testList(refuse);
  const open: string[] = [];
  const levels: Level[] = [{ declared: 0, found: 0 }];
  let current: { name: string; suite: string; status: ReportedTest['status'] } | undefined;
  const addFailures = (count: number): void => {
    const level = levels.at(-1);
    if (level) level.found += count;
  };
  parser.on('doctype', () => refuse('it has a document type declaration (DTD), and no JUnit report needs one.'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) refuse(`its encoding is ${encoding}, and not UTF-8.`);
  });
  parser.on('error', ({ message }) => refuse(`it is not well-formed XML, or ends too early: ${message}.`));
  parser.on('opentag', (tag) => {
    const attributes = tag.attributes as Attributes;
    if (open.length === 0 && !SUITES.includes(tag.name))
      refuse(`its root is ${tag.name.slice(0, 60)}, and not testsuites or testsuite.`);
    const around = open.at(-1) ?? '';
    open.push(tag.name);
    if (SUITES.includes(tag.name)) levels.push({ declared: declaredIn(attributes, refuse), found: 0 });
    if (tag.name === 'testcase') current = caseOf(attributes, current, refuse);
    const outcome = OUTCOMES.get(tag.name);
    if (SUITES.includes(around) && outcome === 'failed') addFailures(1);
    if (around === 'testcase' && current && outcome && current.status !== 'failed')
      current = { ...current, status: outcome };
  });
  parser.on('closetag', () => {
    const name = open.pop() ?? '';
    if (SUITES.includes(name)) addFailures(failuresOf(levels.pop()));
    if (name !== 'testcase' || !current) return;
    list.add(current.name, current.suite, current.status);
    if (current.status === 'failed') addFailures(1);
    current = undefined;
  });
  await inPieces(text, (piece) => parser.write(piece));
  parser.close();
  const failed = list.tests.filter(({ status }) => status === 'failed').length;
  return { tests: list.tests, otherFailures: failuresOf(levels[0]) - failed };
}

const SUITES: readonly string[] = ['testsuites', 'testsuite'];

const failuresOf = (level: Level | undefined): number => (level ? Math.max(level.declared, level.found) : 0);

function declaredIn(attributes: Attributes, refuse: Refuse): number {
  const [failures = 0, errors = 0] = ['failures', 'errors'].map((name) => {
    const written = attributes[name]?.trim() ?? '';
    if (!/^\d{0,6}$/.test(written)) refuse(`its count ${name} is ${written.slice(0, 60)}, and no number of tests.`);
    return Number(written);
  });
  return failures + errors;
}

function caseOf(attributes: Attributes, around: object | undefined, refuse: Refuse) {
  const { name = '', classname = '', status = '', result = '' } = attributes;
  if (around) refuse('a test case contains another test case.');
  if (oneLine(name) === '') refuse('a test case has no name.');
  const words = [status.trim(), result.trim()];
  const isLeftOut = words.some((word) => NOT_RUN.test(word));
  const hasFailed = words.some((word) => !NOT_RUN.test(word) && !PASSED.test(word));
  return { name, suite: classname, status: statusOf(hasFailed, isLeftOut) };
}

function statusOf(hasFailed: boolean, isLeftOut: boolean): ReportedTest['status'] {
  if (hasFailed) return 'failed';
  return isLeftOut ? 'skipped' : 'passed';
}

const isSuite = (value: unknown): boolean => [value].flat().every((part) => typeof part === 'string');

const Ctrf = z.object({
  results: z.object({
    summary: z.object({ tests: z.int().min(0), failed: z.int().min(0) }),
    tests: z
      .array(
        z.object({
          name: z.string().regex(/\S/),
          status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
          // One issue for the whole list: a hostile one would lead to millions of them.
          suite: z.custom<string | readonly string[]>(isSuite, 'Must be a text, or a list of texts').optional(),
        }),
      )
      .max(TESTS_LIMIT - 1, `Must have fewer than ${TESTS_LIMIT} tests`),
  }),
});

/** @see https://ctrf.io */
function parseCtrf(text: string, refuse: Refuse): Parsed {
  const parsed = Ctrf.safeParse(jsonIn(text, refuse));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`it is no CTRF report: ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const { summary, tests } = parsed.data.results;
  if (summary.tests !== tests.length)
    refuse(`its summary counts ${summary.tests} tests, and it lists ${tests.length}.`);
  const list = testList(refuse);
  for (const { name, suite = [], status } of tests)
    list.add(name, [suite].flat().join(' > '), status === 'passed' || status === 'failed' ? status : 'skipped');
  const failed = list.tests.filter(({ status }) => status === 'failed').length;
  return { tests: list.tests, otherFailures: Math.max(0, summary.failed - failed) };
}

function jsonIn(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('it is not JSON, or ends too early.');
  }
}

/** A line that has a meaning in TAP. The parser leaves such a line out if it follows the plan. */
const TAP_LINE = /^\s*(?:(?:not )?ok(?:\s|$)|\d+\.\.\d+|bail out!)/im;

/** Each line of a subtest is parsed once for each level. */
const MOST_LEVELS = 50;

/** TAP 13 and 14, with subtests. A point that only repeats the result of its subtests counts if it failed. */
async function parseTap(text: string, refuse: Refuse): Promise<Parsed> {
  const { Parser } = await import('tap-parser');
  const list = testList(refuse);
  const faults: string[] = [];
  let other = 0;
  const listen = (parser: InstanceType<typeof Parser>): void => {
    if (parser.level > MOST_LEVELS) refuse(`its subtests are nested more than ${MOST_LEVELS} deep.`);
    parser.on('child', listen);
    parser.on('assert', ({ name, fullname, ok, skip, todo, closingTestPoint }) => {
      if (closingTestPoint && ok) return;
      const suite = String(fullname).slice(0, -String(name).length).replace(/ > $/, '');
      const left = skip || todo ? 'skipped' : undefined;
      list.add(String(name) || `test ${list.tests.length + 1}`, suite, left ?? (ok ? 'passed' : 'failed'));
    });
    parser.on('extra', (line) => {
      if (TAP_LINE.test(String(line))) faults.push('a test, a plan or a bail out follows the plan');
    });
    parser.on('bailout', () => {
      other += 1;
    });
    parser.on('complete', ({ failures }) => {
      for (const { tapError } of failures) if (tapError) faults.push(String(tapError));
    });
  };
  const parser = new Parser();
  listen(parser);
  await inPieces(text, (piece) => parser.write(piece));
  parser.end();
  if (list.tests.length === 0 && other === 0) refuse('it has no test point, so it is no TAP or ends too early.');
  if (faults.length > 0 && other === 0) refuse(`it is not complete TAP: ${faults[0]}.`);
  return { tests: list.tests, otherFailures: other };
}

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
