import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { ToolInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { countsOf, cut, isNamed, shortReport, type TestReport, WORST_FIRST } from '../../reports/test-report.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { isOwnSecret, nextSignal, secretsOf, type Terminal, withoutSecrets } from '../terminal.ts';
import { type Attachment, attachedLine } from './attach.ts';

/** What a run of a command left: how it ended, how long it took, and the end of what it printed. */
interface Ran {
  /** Null if a signal ended the command. */
  readonly exit_code: number | null;
  readonly signal?: string;
  readonly duration_ms: number;
  readonly output: string;
}

/** Maximum length of the end of the output that evidence contains, in characters. */
const OUTPUT_CHARS = 2_000;
const KEPT_CHARS = 16 * OUTPUT_CHARS;
/** Milliseconds for which the output may go on after the command has ended, because a process that it left has it open. */
const LEFT_OPEN_MS = 2_000;

/** A line of stderr that is longer than this many characters is shown in pieces. */
const LINE_CHARS = 65_536;

/**
 * Runs a command without a shell and shows what it prints. The command has its own process group, which gets the signals that
 * this process gets.
 *
 * @throws CliError USAGE if the command cannot be started; REFUSED if a signal to this process ended the run; what the
 * terminal throws if it cannot show the output
 */
export async function runCommand(terminal: Terminal, folder: string, argv: readonly string[]): Promise<Ran> {
  const [file = '', ...args] = argv;
  const environment = { ...process.env, ...terminal.environment };
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwnSecret(name)));
  const startedAt = performance.now();
  const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = new AbortController();
  let broken: { readonly error: unknown } | undefined;
  const endCommand = (): void => signalGroup(child.pid, 'SIGTERM');
  process.once('exit', endCommand);
  void nextSignal(end.signal).then((name) => {
    broken ??= { error: commandFailed(`${name} has ended the run. Nothing was sent.`) };
    signalGroup(child.pid, name);
  });
  let kept = '';
  const keep = (text: string): void => {
    // One character more than is kept shows that there was more.
    kept = `${kept}${text}`.slice(-KEPT_CHARS - 1);
  };
  const shown = Promise.all([
    eachText(child.stdout, async (text) => {
      keep(text);
      await terminal.write(new TextEncoder().encode(text));
    }),
    eachLine(child.stderr, keep, (line) => terminal.err(line)),
  ]).catch((error: unknown) => {
    broken ??= { error };
    endCommand();
  });
  const [exit_code, signal] = await once(child, 'exit')
    .catch((error: Error) => {
      throw wrongUsage(`${visibleLine(file)} cannot be started: ${visibleLine(error.message)}.`);
    })
    .finally(() => {
      end.abort();
      process.off('exit', endCommand);
    });
  const duration_ms = Math.round(performance.now() - startedAt);
  await Promise.race([shown, sleep(LEFT_OPEN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (broken) throw broken.error;
  return {
    exit_code,
    ...(signal && { signal }),
    duration_ms,
    output: endOf(kept, withoutSecrets(secretsOf(environment))),
  };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** Reads a stream to its end, or until it is destroyed. Throws what `take` throws. */
async function eachText(stream: Readable, take: (text: string) => Promise<void> | void): Promise<void> {
  stream.setEncoding('utf8');
  const texts = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await texts.next().catch((error: unknown) => {
      if (!stream.destroyed) throw error;
    });
    if (!next || next.done) return;
    await take(next.value);
  }
}

async function eachLine(stream: Readable, keep: (text: string) => void, take: (line: string) => void): Promise<void> {
  let rest = '';
  await eachText(stream, (text) => {
    keep(text);
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length <= LINE_CHARS) return;
    const blank = rest.lastIndexOf(' ') + 1 || rest.length;
    take(rest.slice(0, blank));
    rest = rest.slice(blank);
  });
  if (rest !== '') take(rest);
}

/** The last lines of an output, without secrets of the environment, colours and other control sequences. */
function endOf(output: string, masked: (text: string) => string): string {
  const lines = stripVTControlCharacters(lastWords(output, KEPT_CHARS))
    .split('\n')
    .map((line) => visible(line.replace(/\r$/, '').replace(/^.*\r/, '')));
  const text = masked(lines.join('\n').trim());
  if (text.length <= OUTPUT_CHARS) return text;
  const end = lastWords(text, OUTPUT_CHARS);
  return end
    .slice(end.indexOf('\n') + 1)
    .trimStart()
    .toWellFormed();
}

/** The end of a text, from a blank on: half a word could be half a secret, which nothing recognizes. */
function lastWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const blank = end.search(/\s/);
  return blank === -1 ? '' : end.slice(blank);
}

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

export const shownPaths = (paths: readonly string[], most = MOST.paths): string => {
  const left = paths.length - most;
  return `${paths.slice(0, most).map(visibleLine).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
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
      throw commandFailed(
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
