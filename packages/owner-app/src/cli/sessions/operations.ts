import type { OwnerListing } from '@parley/core';
import type { Answer } from '@parley/core/client';
import { isRecord } from '@parley/core/json';
import { kebabCase } from '@parley/core/routes';
import { counted } from '@parley/core/text';
import { type Command, Option } from 'commander';
import { type Json, readAs } from '../../text/read-as.ts';
import { tableLines } from '../../text/table.ts';
import { serverNow } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { type OverviewSession, overviewSessions, pagesOf, shownGiven } from '../client/lists.ts';
import { actListed, callListed, connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliError, CliOutcome, EXIT, wrongUsage } from '../exit-codes.ts';
import { writeNewFile } from '../files.ts';
import { exampleOf, isScriptAt, NAMED_RECORDS, repeatedLine, type Settling } from '../flags/command-line.ts';
import { flagsOf, type InputFlag, inputOf, longFlag, makeOptional, switchesOf } from '../flags/flags.ts';
import { printAnswer, printPages, withJson, withPager } from '../print/answer.ts';
import { invitationPrompt, needsBoard, needsView, showAnswer } from '../print/answer-view.ts';
import { type ContractPart, isArtifacts, type ReadMarks, readMarks } from '../print/contract/contract-answer.ts';
import { seenIn } from '../print/names.ts';
import { writtenLines } from '../print/next-step.ts';
import type { Terminal } from '../terminal.ts';
import { addConfirmation, confirmedInput, makeAnswerOptional, requireAnswer, withAnswer } from './confirmation.ts';
import { pauseIdOf, stoppedLines } from './waiting.ts';

/**
 * Throws the error again. If a decision was refused because it does not say what the owner had read, or because a record
 * has changed since, the message also shows the records as they are now, and the command that decides on them.
 */
const rethrowWithGrounds =
  (decision: Settling, terminal: Terminal) =>
  (error: unknown): never => {
    if (!(error instanceof CliError) || !error.body) throw error;
    const { grounds, changed, head } = error.body;
    const lines = [grounds, changed].flatMap((records) => (Array.isArray(records) ? records.flatMap(groundLines) : []));
    if (lines.length === 0 || !isHead(head)) throw error;
    const repeated = { ...decision, seen: seenIn({ head }), isScript: isScriptAt(terminal) };
    const command = `  ${repeatedLine(terminal.program, repeated)}`;
    const text = [error.message, ...lines, 'To decide on this:', command].join('\n');
    throw new CliError(error.exitCode, text, error.body);
  };

// The form of a refusal is not checked where it enters the program.

const isHead = (head: unknown): head is Parameters<typeof seenIn>[0]['head'] =>
  isRecord(head) && typeof head.seq === 'number' && typeof head.hash === 'string';

function groundLines(ground: unknown): string[] {
  if (!isRecord(ground) || !isRecord(ground.record) || typeof ground.seq !== 'number') return [];
  const { type, id } = readAs(ground.record, { type: 'text', id: 'text' });
  return [`  ${type} ${id}: ${readAs(ground, { now: 'text' }).now} (event ${ground.seq})`];
}

type AtOnce = 'pause' | 'resume';

const DONE = { pause: 'paused', resume: 'resumed' } as const;

interface Written {
  readonly operation: AtOnce;
  readonly input: Json;
}

/** Whether an operation accepts `--all` in place of a session, as `parley pause --all` does. */
const isForAll = (operation: string): operation is AtOnce => Object.hasOwn(DONE, operation);

/** Adds `--all`, and for `resume` also `--pause-id`. All other flags become optional. */
function addAllFlags(command: Command, operation: AtOnce): void {
  for (const option of command.options) option.makeOptionMandatory(false);
  command.option(
    '--all',
    operation === 'pause'
      ? 'pause every active session'
      : 'resume the sessions that the last `parley pause --all` paused',
  );
  if (operation === 'resume')
    command.option(
      '--pause-id <id>',
      'with --all: resume what an earlier pause paused; `parley pause --all --json` and `parley waiting` print the id',
    );
}

/** Pauses or resumes all sessions, and prints what changed. If a session could not be changed, the exit code is 1. */
async function runForAll(terminal: Terminal, command: Command, { operation, input }: Written): Promise<void> {
  const client = await connectOwner(terminal);
  const { pauseId } = command.opts<{ pauseId?: string }>();
  const answer =
    operation === 'pause'
      ? await client.call('pauseAll', input)
      : await client.call('resumeAll', { ...input, pause_id: pauseId });
  const isUnchanged = changedIn(answer).length + answer.failed.length === 0;
  const paused = isUnchanged && command.opts().json !== true ? await pausedSessions(client) : [];
  printAnswer(terminal, command, answer, () =>
    isUnchanged ? unchangedLines(operation, paused, { terminal, pauseId }) : changedLines(operation, answer, terminal),
  );
  if (answer.failed.length > 0) throw new CliOutcome(EXIT.REFUSED);
}

/**
 * Refuses a command line with both a session and `--all`, or with neither. Also refuses a pause of one session without
 * a reason.
 */
function requireOneOrAll(given: string, isAll: boolean, { operation, input }: Written): void {
  if ((given === '') !== isAll)
    throw wrongUsage(isAll ? 'Name a session or give --all, not both.' : 'Name a session, or give --all.');
  if (operation === 'pause' && !isAll && input.reason === undefined)
    throw wrongUsage('Give a reason with --reason <text>. The agents can read it.');
}

async function pausedSessions(client: OwnerClient): Promise<OverviewSession[]> {
  const found: OverviewSession[] = [];
  for await (const session of overviewSessions(client)) {
    if (session.status === 'PAUSED') found.push(session);
  }
  return found;
}

/** Why no session changed: the sessions that are paused already, and the commands that resume them. */
function unchangedLines(
  operation: AtOnce,
  paused: readonly OverviewSession[],
  { terminal, pauseId }: { readonly terminal: Terminal; readonly pauseId: string | undefined },
): string[] {
  const alone = paused.filter((session) => pauseIdOf(session) === '').length;
  const aloneText = `${counted(alone, 'session is', 'sessions are')} paused alone. To resume ${alone === 1 ? 'it' : 'one'}: ${terminal.program} resume SESSION`;
  return [
    operation === 'pause' ? notPausedText(paused.length) : notResumedText(pauseId),
    ...stoppedLines(paused, 'session', { terminal, nowMs: serverNow() }),
    ...(alone > 0 ? [aloneText] : []),
  ];
}

const notPausedText = (paused: number): string =>
  paused === 0
    ? 'No session is paused: you have no active session.'
    : `No session is active: ${counted(paused, 'session is', 'sessions are')} paused already.`;

const notResumedText = (pauseId: string | undefined): string =>
  `No session is resumed: none is paused by ${pauseId === undefined ? '' : `the call "${pauseId}" of `}"pause --all".`;

type Changed = Answer<'pauseAll'> | Answer<'resumeAll'>;

/** The ids of the sessions that the call has changed. */
const changedIn = (answer: Changed): readonly string[] => ('paused' in answer ? answer.paused : answer.resumed);

function changedLines(operation: AtOnce, answer: Changed, terminal: Terminal): string[] {
  const count = changedIn(answer).length;
  const sessions = count === 0 ? 'No session is' : counted(count, 'session is', 'sessions are');
  const failed = answer.failed.map(({ session_id, code, text }) => [session_id, code, text]);
  const undo = operation === 'pause' && count > 0 ? ` To undo: ${terminal.program} resume --all` : '';
  return [
    `${sessions} ${DONE[operation]}.${undo}`,
    ...(failed.length > 0
      ? ['', `Not ${DONE[operation]}:`, ...tableLines({ heads: ['session', 'code', 'why'], rows: failed }, terminal)]
      : []),
  ];
}

/**
 * Adds the id of the record as the second argument of a command on one record. The flag for the id becomes optional.
 *
 * @returns the id for the example in the help. Empty for other operations
 */
function addRecordArgument(command: Command, operation: string, flags: readonly InputFlag[]): string {
  const record = NAMED_RECORDS.get(operation);
  if (!record) return '';
  const { member, sample } = record;
  command.argument('[record_id]', `id of the record, such as ${sample}, in place of ${longFlag(member)}`);
  makeOptional(flags.filter((flag) => flag.member === member));
  return sample;
}

/**
 * Adds the id that was given after the session to the input of an operation on one record.
 *
 * @throws CliError with the exit code USAGE if no record is named, or two different records
 */
function withRecord(operation: string, input: Json, given: string | undefined): Json {
  const record = NAMED_RECORDS.get(operation);
  if (!record) return input;
  const { member, sample } = record;
  const flagged = input[member];
  if (given !== undefined && flagged !== undefined && given !== flagged)
    throw wrongUsage(
      `Name only one record: ${visibleLine(given)}, or ${longFlag(member)} ${visibleLine(String(flagged))}.`,
    );
  const id = given ?? flagged;
  if (id === undefined)
    throw wrongUsage(`Name the record after the session, such as: parley ${kebabCase(operation)} SESSION ${sample}`);
  return { ...input, [member]: id };
}

/** The operation with a secret in its input, which no flag takes, because every user of a machine can read command lines. */
const LINK = 'linkChange';

function addSecretFlag(command: Command, operation: string): void {
  if (operation !== LINK) return;
  command.option(
    '--token-stdin',
    'read the token from stdin, not from PARLEY_FORGE_TOKEN or the terminal; empty: it stays',
  );
}

/** Adds the secret to the input of the operation. Without one, the service keeps the present one. */
async function withSecret(operation: string, input: Json, command: Command, terminal: Terminal): Promise<Json> {
  if (operation !== LINK) return input;
  const { tokenStdin, json } = command.opts<{ tokenStdin?: true; json?: true }>();
  const token = tokenStdin
    ? await terminal.input()
    : (terminal.environment.PARLEY_FORGE_TOKEN ??
      (json ? undefined : await terminal.secret?.('Token of the forge (not shown; empty: the present one stays): ')));
  return token?.trim() ? { ...input, token: token.trim() } : input;
}

/**
 * The operations for which one member of the input has a switch for each of its words, such as `--html`, with the
 * descriptions of these switches.
 */
const SWITCHES: ReadonlyMap<string, readonly [member: string, purposes: Readonly<Record<string, string>>]> = new Map([
  [
    'report',
    [
      'format',
      {
        md: 'print the Markdown document (default: a text for reading)',
        html: 'print an HTML page without scripts',
      },
    ],
  ],
]);

function operationFlags({ name, input }: OwnerListing): InputFlag[] {
  const [switched, purposes = {}] = SWITCHES.get(name) ?? [];
  return flagsOf(input).map((flag) => (flag.member === switched ? switchesOf(flag.member, purposes) : flag));
}

/** Adds the command of an owner operation, such as `parley extend-rounds SESSION --rounds 2`. */
export function addOperation(program: Command, terminal: Terminal, listing: OwnerListing): void {
  const { name, summary, effect } = listing;
  const flags = operationFlags(listing);
  const command = (effect === 'read' ? withPager : withJson)(program.command(kebabCase(name)))
    .description(summary)
    .helpGroup('Commands on one session:')
    .argument(isForAll(name) ? '[session_id]' : '<session_id>', 'the session, as `parley sessions` lists it');
  const sample = addRecordArgument(command, name, flags);
  addConfirmation(command, name, flags);
  for (const option of flags.flatMap(({ options }) => options)) command.addOption(option);
  if (name === 'invite') addInviteFlags(command);
  if (IS_FILE.has(name)) command.addOption(new Option('--out <file>', OUT_PURPOSE).conflicts('json'));
  if (isForAll(name)) addAllFlags(command, name);
  if (READS_CONTRACT.has(name)) addPartFlags(command, name);
  command.addHelpText('after', `\nExample:\n  ${exampleOf(command.name(), flags, sample)}`);
  addSecretFlag(command, name);
  makeAnswerOptional(name, flags);
  command.action(async (given = '') => {
    const { yes, json, out } = command.opts<{ yes?: true; json?: true; out?: string }>();
    const written = withRecord(name, inputOf(flags, command.opts()), command.args[1]);
    requireAnswer({ operation: name, input: written, isScript: json === true }, terminal);
    if (isForAll(name)) {
      const isAll = command.opts().all === true;
      requireOneOrAll(given, isAll, { operation: name, input: written });
      if (isAll) return runForAll(terminal, command, { operation: name, input: written });
    }
    const client = await connectOwner(terminal);
    const sessionId = await client.wholeId(given);
    const shownId = shownGiven(given, sessionId, terminal);
    const typed = { operation: name, input: written, isScript: yes === true || json === true, sessionId, shownId };
    const part = partOf(command);
    const asked = await withAnswer(typed, client, terminal);
    const answered = await withSecret(name, asked, command, terminal);
    const input = await confirmedInput({ ...typed, input: answered }, client, terminal);
    const rethrow = rethrowWithGrounds({ operation: name, sessionId: shownId, payload: input }, terminal);
    const isRead = effect === 'read' || name === 'invite';
    if (!isRead && !json) {
      const { after } = await actListed(client, { name, sessionId, input }).catch(rethrow);
      for (const line of writtenLines({ operation: name, after }, { terminal, sessionId: shownId })) terminal.out(line);
      return;
    }
    const { codeOnly, promptOnly } = command.opts<{ codeOnly?: true; promptOnly?: true }>();
    const needed = json || codeOnly || promptOnly ? false : name === 'invite' ? 'before' : needsView(name) && 'after';
    // What an invitation replaces can be read only before it.
    const before = needed === 'before' ? await viewOf(client, sessionId) : undefined;
    const answer = await callListed(client, { name, sessionId, input: { ...input, ...formOf(part) } }).catch(rethrow);
    if (codeOnly) return terminal.out(String(answer.code));
    if (promptOnly) return terminal.out(invitationPrompt(answer as Answer<'invite'>, client.url));
    if (out !== undefined) return terminal.out(`Wrote ${await writeNewFile(out, String(answer.text))}`);
    const marks = name === 'plan' && !json && hasMarks(part) ? await marksOf(client, sessionId, part) : undefined;
    const shown = { terminal, url: client.url, sessionId: shownId, part, marks, input };
    const view = needed === 'after' ? await viewOf(client, sessionId) : before;
    const hasBoard = name === 'view' && !json && needsBoard(answer as Answer<'view'>);
    const board = hasBoard ? await boardOf(client, sessionId) : undefined;
    await printPages(terminal, command, answer, (value) => showAnswer(name, value, { ...shown, view, board }));
  });
}

function addInviteFlags(command: Command): void {
  command
    .addOption(
      new Option('--code-only', 'print only the code, for example to write it to a file').conflicts('promptOnly'),
    )
    .option('--prompt-only', 'print only the text to paste to the agent, for example to write it to a file');
}

const OUT_PURPOSE = 'write to this file, which must not exist yet (default: stdout)';

/** The operations whose answer is the text of a file. */
const IS_FILE: ReadonlySet<string> = new Set(['report', 'certificate']);

const READS_CONTRACT: ReadonlySet<string> = new Set(['plan', 'revision']);

function addPartFlags(command: Command, name: string): void {
  const others = ['json', 'part', 'from', 'format'];
  command
    .addOption(
      new Option(
        '--section <name>',
        'print one section, such as tasks; operations: the interfaces with their operations; requirements: the requirements of the session',
      ).conflicts([...others, 'summary']),
    )
    .addOption(
      new Option('--summary', 'print a summary: the scope, the requirements, and one line for each record').conflicts(
        others,
      ),
    )
    .addOption(
      new Option('--md', 'print the Markdown document (default: a text for reading)').conflicts([
        ...others,
        'section',
        'summary',
      ]),
    );
  if (name !== 'plan') return;
  command.addOption(
    new Option(
      '--unread',
      'print only what you have not read: whole sections, or the records of a section that changed since you read it',
    ).conflicts([...others, 'section', 'summary', 'md']),
  );
}

function partOf(command: Command): ContractPart | undefined {
  const { section, summary, md, unread } = command.opts();
  if (md === true) return 'markdown';
  if (summary === true) return 'summary';
  if (unread === true) return 'unread';
  return typeof section === 'string' ? { section } : undefined;
}

/** What to ask for to print a part: sections are those of the document, and only the JSON has the contents of artifacts. */
const formOf = (part: ContractPart | undefined): { readonly format?: 'markdown' } =>
  part === 'summary' || (typeof part === 'object' && !isArtifacts(part.section)) ? { format: 'markdown' } : {};

const hasMarks = (part: ContractPart | undefined): boolean => part === undefined || part === 'unread';

/** Reads which sections of the latest revision the owner has read, and what changed since. */
async function marksOf(client: OwnerClient, session_id: string, part: ContractPart | undefined): Promise<ReadMarks> {
  const [brief, changes] = await Promise.all([
    client.call('brief', { session_id, stage: 'approval' }),
    client.call('changes', { session_id }),
  ]);
  return readMarks(brief, changes, part === 'unread' ? await readBefore(client, session_id, brief) : undefined);
}

/**
 * The changed members of the contract whose text in the revision `since` of the brief the owner has read. The changes of
 * that revision list a member only if it changed in it; otherwise the changes of the revision before list the same text.
 */
async function readBefore(
  client: OwnerClient,
  session_id: string,
  brief: Answer<'brief'>,
): Promise<ReadonlySet<string>> {
  const sought = new Set(brief.changes.map(({ section }) => section));
  const found = new Set<string>();
  const from = brief.since ?? '';
  if (from === '' || sought.size === 0) return found;
  const read = (revision_id: string) => client.call('changes', { session_id, revision_id });
  for await (const earlier of pagesOf(read, { from, nextOf: ({ since }) => since ?? '' })) {
    for (const { section, read_at } of earlier.sections) if (sought.delete(section) && read_at) found.add(section);
    if (sought.size === 0) break;
  }
  return found;
}

/** Reads the test board of a session. Undefined if this fails. */
const boardOf = (client: OwnerClient, session_id: string): Promise<Answer<'board'> | undefined> =>
  client.call('board', { session_id }).catch(() => undefined);

/** Reads the view of a session. Undefined if this fails. */
const viewOf = (client: OwnerClient, session_id: string): Promise<Answer<'view'> | undefined> =>
  client.call('view', { session_id }).catch(() => undefined);
