import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@parley/core/client';
import { Argument, type Command, Option } from 'commander';
import { EVIDENCE_KINDS, REPORT_FORMATS, type ReportFormat } from '../../reports/test-report.ts';
import { readAs } from '../../text/read-as.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { type AgentClient, type AgentFlags, connectAgent } from '../agent/agent-client.ts';
import { addAgentFlags } from '../agent/wait.ts';
import { isPassingRefusal } from '../client/faults.ts';
import { passingPauseMs } from '../client/passing-pause.ts';
import { CliError, CliOutcome, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { git } from '../git.ts';
import type { Terminal } from '../terminal.ts';
import {
  type Attachment,
  type AttachPlace,
  attach,
  attachedLine,
  fileMark,
  readAttachments,
  readReport,
} from './attach.ts';
import {
  commandLine,
  type EvidenceItem,
  endText,
  evidenceOf,
  type FinishedRun,
  faultsOf,
  runCommand,
  shownPaths,
  withoutCredentials,
} from './run-command.ts';

export interface WorkingTree {
  /** The whole id of the commit that is checked out. */
  readonly commit: string;
  /** Paths that differ from the commit, seen from the root of the repository. */
  readonly changed: readonly string[];
}

interface Look {
  /** Files that the run itself writes, such as the report. They are no change. */
  readonly besides: readonly string[];
  /** Whether a file that git does not know is a change. */
  readonly untracked: boolean;
}

const STATUS = ['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=none'];

/**
 * What is checked out in a folder.
 *
 * @throws CliError USAGE if the folder is in no repository with a commit, or git does not answer
 */
export async function workingTree(folder: string, { besides, untracked }: Look): Promise<WorkingTree> {
  const read = async (...command: readonly string[]): Promise<string> => {
    const { code, out } = await git(folder, ...command);
    if (code === 0) return out;
    throw wrongUsage(`git does not know what is checked out in ${visible(folder)}: git ${command[0]} failed.`);
  };
  const commit = (await read('rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}')).trim();
  const root = (await read('rev-parse', '--show-toplevel')).replace(/\n$/, '');
  const own = await Promise.all(besides.map((path) => pathIn(root, resolve(folder, path))));
  const listed = await read(...STATUS, `--untracked-files=${untracked ? 'all' : 'no'}`);
  const changed = listed
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((path) => path !== '' && !own.includes(path));
  return { commit, changed };
}

async function pathIn(root: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return relative(await realpath(root), join(folder, basename(path))).replaceAll('\\', '/');
}

const MORE = `
Examples:
  parley verify run --scenario test-retry -- npm test
  parley verify run --scenario test-retry --junit report.xml -- npx vitest run --reporter=junit --outputFile=report.xml
  parley verify run --scenario test-retry --as verifier -- npm test     as the agent that does not execute the scenario
  parley verify run --scenario test-retry --attach ledger.log --attach shot.png -- npm test
  parley verify run --gate gate-deploy -- npm run smoke                 the run that meets a gate
  parley verify attach --scenario test-retry capture.json               a file for the open attempt

COMMAND runs without a shell. What it prints is shown. Its exit code, its duration, the commit, the tests of the report and the end
of its output become the evidence, of level recorded if the commit is declared and no file differs from it. The executor's run starts the
attempt if none is open. The report must be written by the run itself. The command reads PARLEY_TOKEN and PARLEY_URL; COMMAND does not get the
token. Attached are files of at most 1 MB, 5 MB of each agent in a session; a text with a credential is refused. Exit codes: ${EXIT.OK} the run is stored and counts, ${EXIT.MISMATCH} it is stored, and it or the attempt has failed, or evidence of this side is still missing.`;

interface RunFlags extends AgentFlags, Partial<Record<ReportFormat, string>> {
  readonly scenario?: string;
  readonly gate?: string;
  readonly attach?: readonly string[];
  readonly as: 'executor' | 'verifier';
  readonly folder: string;
  readonly kind?: EvidenceItem['kind'];
  readonly requestId?: string;
  readonly allowDirty?: boolean;
  readonly allowOtherCommit?: boolean;
}

const FORMATS: Readonly<Record<ReportFormat, string>> = { junit: 'JUnit XML', ctrf: 'CTRF JSON', tap: 'TAP' };

/** Adds `parley verify run`, which uses the token of an agent and no owner key. */
export function addVerify(program: Command, terminal: Terminal): void {
  const run = program
    .command('verify')
    .description('Where the agent runs: run a command, and send its exit code, commit and test report as evidence.')
    .addArgument(new Argument('<action>', 'run: a command; attach: files').choices(['run', 'attach']))
    .argument('<command...>', 'the command and its arguments, after --; or the files')
    .option('--scenario <id>', 'the scenario, which is a test of the contract')
    .addOption(
      new Option('--gate <id>', 'the gate of the contract that the run meets').conflicts([
        'scenario',
        'as',
        'requestId',
        'kind',
      ]),
    )
    .addOption(
      new Option(
        '--attach <file>',
        'a file to send with the run, such as a log or a picture; can be repeated',
      ).argParser((file: string, files: readonly string[] = []) => [...files, file]),
    );
  for (const format of REPORT_FORMATS)
    run.addOption(
      new Option(`--${format} <file>`, `the report that the command writes, as ${FORMATS[format]}`).conflicts(
        REPORT_FORMATS.filter((other) => other !== format),
      ),
    );
  addAgentFlags(
    run
      .addOption(
        new Option('--as <side>', 'verifier: as the agent that does not execute the scenario')
          .choices(['executor', 'verifier'])
          .default('executor'),
      )
      .option('--folder <folder>', 'the repository, in which the command runs', '.')
      .addOption(
        new Option('--kind <kind>', 'the kind of evidence (default: test_report with a report, otherwise log)').choices(
          EVIDENCE_KINDS,
        ),
      )
      .option('--request-id <id>', 'the correlation id of both sides (default: that of the open attempt, or a new one)')
      .option('--allow-dirty', 'run although files differ from the commit; the evidence says so')
      .option('--allow-other-commit', 'run on a commit that is not declared; the evidence says so'),
  )
    .addHelpText('after', MORE)
    .action(async (action: string, args: readonly string[], flags: RunFlags) => {
      if (flags.scenario === undefined && flags.gate === undefined)
        throw wrongUsage('Name the scenario with --scenario ID, or the gate with --gate ID.');
      await (action === 'run' ? verifyRun : verifyAttach)(terminal, args, flags);
    });
}

/** Attaches files to the open attempt of a scenario, or to a gate. */
async function verifyAttach(terminal: Terminal, paths: readonly string[], flags: RunFlags): Promise<void> {
  const client = await connectAgent(terminal, flags);
  const files = await readAttachments(flags.folder, [...paths, ...(flags.attach ?? [])]);
  const { session_id: sessionId } = await client.call('read_task');
  const attempt = flags.gate === undefined ? openIn(await boardOf(client, flags))?.attempt : undefined;
  if (flags.gate === undefined && attempt === undefined)
    throw commandFailed(
      `No attempt of ${visible(flags.scenario ?? '')} is open. The executor starts one with verify run, and --attach sends files with it. Nothing was sent.`,
    );
  await attachAll(terminal, client, { sessionId, place: placeIn(flags, attempt ?? 0), files });
}

const placeIn = ({ gate: gate_id, scenario: scenario_id = '' }: RunFlags, attempt: number): AttachPlace =>
  gate_id === undefined ? { scenario_id, attempt } : { gate_id };

interface Attaching {
  readonly sessionId: string;
  readonly place: AttachPlace;
  readonly files: readonly Attachment[];
}

async function attachAll(
  terminal: Terminal,
  client: AgentClient,
  { sessionId, place, files }: Attaching,
): Promise<void> {
  for (const file of files) {
    await again(terminal, () => attach(client, sessionId, { place, file }));
    terminal.out(attachedLine(file));
  }
}

async function verifyRun(terminal: Terminal, argv: readonly string[], flags: RunFlags): Promise<void> {
  const client = await connectAgent(terminal, flags);
  const place = await placeOf(client, flags);
  const format = REPORT_FORMATS.find((one) => flags[one] !== undefined);
  const file = format && resolve(flags.folder, flags[format] ?? '');
  const besides = [
    ...(file === undefined ? [] : [file]),
    ...(flags.attach ?? []).map((path) => resolve(flags.folder, path)),
  ];
  const tree = await workingTree(flags.folder, { besides, untracked: true });
  if (!isAmong(place, tree.commit) && !flags.allowOtherCommit) refuseCommit(tree.commit, place);
  if (!flags.allowDirty) requireClean(tree.changed, 'Commit them first');
  const mark = file === undefined ? '' : await fileMark(file);
  const ran = await runCommand(terminal, flags.folder, argv);
  const after = await workingTree(flags.folder, { besides, untracked: false });
  if (after.commit !== tree.commit)
    throw commandFailed('The command has checked out another commit. Nothing was sent.');
  if (!flags.allowDirty) requireClean(after.changed, 'The command has changed them');
  if (file !== undefined && mark !== '' && mark === (await fileMark(file)))
    throw commandFailed(
      `The command has not written ${visibleLine(file)}: this report is of an earlier run. Nothing was sent.`,
    );
  const report = format && file ? await readReport(format, file) : undefined;
  const attached = await readAttachments(flags.folder, flags.attach ?? []);
  const changed = [...new Set([...tree.changed, ...after.changed])];
  const now = await again(terminal, async () => sideOf(await boardOf(client, flags), place.role, flags));
  const isDeclared = isAmong(now, tree.commit);
  if (!isDeclared && !flags.allowOtherCommit) refuseCommit(tree.commit, now);
  const { requestId, names } = place;
  const kind = flags.kind ?? (report ? 'test_report' : 'log');
  const run = { argv, ran, commit: tree.commit, isDeclared, changed, report, names, kind, requestId, attached };
  print(terminal, place, run, await send(terminal, client, await attachedPlace(terminal, client, { place, run }), run));
}

/** Attaches the files before the evidence is sent: after it, the other agent could judge the attempt at once. */
async function attachedPlace(
  terminal: Terminal,
  client: AgentClient,
  { place, run: { attached } }: { readonly place: Place; readonly run: FinishedRun },
): Promise<Place> {
  const { sessionId, gateId: gate_id, scenarioId: scenario_id } = place;
  if (attached.length === 0) return place;
  const start = async () => (await client.call('verify_start_attempt', { scenario_id })).attempt;
  const attempt = gate_id === undefined ? (place.attempt ?? (await again(terminal, start))) : 0;
  const at = gate_id === undefined ? { scenario_id, attempt } : { gate_id };
  await attachAll(terminal, client, { sessionId, place: at, files: attached });
  return { ...place, attempt };
}

const isAmong = ({ commits }: Pick<Place, 'commits'>, commit: string): boolean =>
  commits.some((declared) => commit.startsWith(declared));

/** Where the evidence goes, and what the contract demands of this side. */
interface Place {
  readonly sessionId: string;
  readonly role: Builder;
  /** The gate that the run meets. Undefined for a scenario. */
  readonly gateId?: string | undefined;
  readonly scenarioId: string;
  /** The open attempt. Undefined if the run starts one. */
  readonly attempt: number | undefined;
  readonly requestId: string;
  readonly names: readonly string[];
  /** The declared commits on which a run counts. */
  readonly commits: readonly string[];
}

type Builder = 'agent_a' | 'agent_b';
type Board = Answer<'verify_board'>;

const boardOf = (client: AgentClient, { scenario: scenario_id }: RunFlags): Promise<Board> =>
  client.call('verify_board', { ...(scenario_id !== undefined && { scenario_id }), format: 'both' });

const gateIn = ({ certification }: Board, id: string) => certification?.gates?.find(({ gate_id }) => gate_id === id);

const openIn = ({ scenarios: [scenario] }: Board) => scenario?.attempts.find(({ status }) => status === 'OPEN');

/** What the contract and the handshakes say for one side. */
function sideOf(board: Board, role: Builder, { gate }: RunFlags): Pick<Place, 'role' | 'names' | 'commits'> {
  const scenario = gate === undefined ? board.scenarios[0] : undefined;
  const { agent_a, agent_b } = board.handshakes ?? {};
  const declared = { agent_a: agent_a?.commit, agent_b: agent_b?.commit };
  const commits = [declared[role], scenario?.executor && declared[scenario.executor]];
  return {
    role,
    names: scenario?.demands?.per_agent_tests?.[role] ?? gateIn(board, gate ?? '')?.run.tests ?? [],
    commits: commits.flatMap((commit) => commit ?? []),
  };
}

async function placeOf(client: AgentClient, flags: RunFlags): Promise<Place> {
  const { scenario: scenarioId = '', as, gate } = flags;
  const { your_role: role, session_id: sessionId } = await client.call('read_task');
  const board = await boardOf(client, flags);
  if (gate !== undefined) return { ...gatePlace(board, role, flags), sessionId };
  const [scenario] = board.scenarios;
  if ((role !== 'agent_a' && role !== 'agent_b') || !scenario)
    throw wrongUsage(`${visibleLine(role)} gives no evidence for a scenario.`);
  const side = scenario.executor === role ? 'executor' : 'verifier';
  if (side !== as)
    throw wrongUsage(
      side === 'verifier'
        ? `${scenario.executor} executes ${visible(scenarioId)}. Add --as verifier to run it too.`
        : `You execute ${visible(scenarioId)}: leave --as verifier out.`,
    );
  const open = openIn(board);
  if (side === 'verifier' && !open)
    throw commandFailed(`No attempt of ${visible(scenarioId)} is open. Wait until ${scenario.executor} starts one.`);
  const joined =
    open && (side === 'verifier' || open.evaluation.failing.length === 0) ? open.evaluation.request_id : '';
  const requestId = flags.requestId || joined || `run-${randomUUID().slice(0, 8)}`;
  return { sessionId, scenarioId, attempt: open?.attempt, requestId, ...sideOf(board, role, flags) };
}

function gatePlace(board: Board, role: string, flags: RunFlags): Omit<Place, 'sessionId'> {
  const { gate: id = '' } = flags;
  const by = gateIn(board, id)?.run.by;
  if (by === undefined) throw commandFailed(`The approved contract has no gate ${visible(id)} that demands a run.`);
  if (role !== by) throw wrongUsage(`${by} runs gate ${visible(id)}: the contract names it.`);
  return { scenarioId: '', gateId: id, attempt: undefined, requestId: id, ...sideOf(board, by, flags) };
}

function refuseCommit(commit: string, { commits }: Pick<Place, 'commits'>): never {
  const declared = commits.length === 0 ? 'no commit is declared yet' : `declared is ${commits.join(' or ')}`;
  throw commandFailed(
    `Commit ${commit} is checked out, and ${declared}. Declare it with verify_handshake, check out the declared commit, or give --allow-other-commit: the evidence then says so and does not count as recorded. Nothing was sent.`,
  );
}

const SHOWN_PATHS = 10;

function requireClean(changed: readonly string[], what: string): void {
  if (changed.length === 0) return;
  throw commandFailed(
    `Files differ from the commit: ${shownPaths(changed, SHOWN_PATHS)}. ${what}, or give --allow-dirty: the evidence then says so and does not count as recorded. Nothing was sent.`,
  );
}

/** What the service says of the stored run: where it is stored, and what the attempt or the gate still needs. */
interface Stored extends Pick<Answer<'verify_submit_evidence'>['evaluation'], 'met' | 'missing' | 'failing'> {
  readonly where: string;
}

/** Milliseconds for which a call after the run is sent again, if the service cannot be reached. */
const RESEND_MS = 60_000;

async function again<T>(terminal: Terminal, call: () => Promise<T>): Promise<T> {
  const end = performance.now() + RESEND_MS;
  for (let failures = 1; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const isPassing = error.exitCode === EXIT.UNREACHABLE || isPassingRefusal(error);
      if (!isPassing || performance.now() > end) throw error;
      if (failures === 1) terminal.err(`parley: trying again: ${error.message.split('\n')[0]}`);
      await sleep(passingPauseMs(error, failures));
    }
  }
}

/**
 * Sends the evidence. Its key makes sending it again safe. What looks like a credential is left out, unless the contract
 * names it.
 */
async function send(terminal: Terminal, client: AgentClient, place: Place, run: FinishedRun): Promise<Stored> {
  let item = evidenceOf(run);
  for (;;) {
    try {
      return await again(terminal, () => submit(client, place, item));
    } catch (error) {
      const without = error instanceof CliError && withoutCredentials(item, run, rejectedPaths(error));
      if (!without) throw error;
      terminal.err(`parley: ${without.note}`);
      item = { ...without.item, summary: `${item.summary.slice(0, 3_600)}\n${without.note}` };
    }
  }
}

async function submit(client: AgentClient, place: Place, item: EvidenceItem): Promise<Stored> {
  const { sessionId, gateId: gate_id, scenarioId: scenario_id, attempt: open } = place;
  if (gate_id !== undefined && item.run) {
    const { missing } = await client.post(sessionId, 'verify_gate', { gate_id, run: { ...item.run } });
    return { where: `the run for gate ${visible(gate_id)}`, met: missing.length === 0, failing: [], missing };
  }
  const { attempt, evaluation } =
    open === undefined
      ? await client.call('verify_start_attempt', { scenario_id, evidence: [{ ...item }] })
      : await client.call('verify_submit_evidence', { scenario_id, attempt: open, ...item });
  return { ...evaluation, where: `evidence of attempt ${attempt}, request_id ${visibleLine(item.request_id)}` };
}

/** Paths of what the service takes for a credential. Empty for another refusal. */
function rejectedPaths({ body }: CliError): string[] {
  const { error, issues } = readAs(body, { error: 'text', issues: 'records' });
  return error === 'CREDENTIAL_REJECTED' ? issues.map((issue) => readAs(issue, { path: 'text' }).path) : [];
}

function print(terminal: Terminal, { role, gateId }: Place, run: FinishedRun, stored: Stored): void {
  const { where, met, missing, failing } = stored;
  const faults = faultsOf(run);
  terminal.out(`${commandLine(run.argv)} ${endText(run)}.`);
  terminal.out(`Stored as ${where}.`);
  for (const fault of faults) terminal.out(fault);
  for (const text of failing) terminal.out(`Failing: ${visibleLine(text)}`);
  for (const text of missing) terminal.out(`Missing: ${visibleLine(text)}`);
  if (met) terminal.out(gateId === undefined ? 'The evidence is enough for a PASS.' : 'The run meets the gate.');
  const isOwnMissing = missing.some((text) => gateId !== undefined || text.startsWith(`${role}: `));
  if (faults.length > 0 || failing.length > 0 || isOwnMissing) throw new CliOutcome(EXIT.MISMATCH);
}
