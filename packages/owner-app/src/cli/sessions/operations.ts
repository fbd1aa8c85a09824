import type { OwnerListing } from '@parley/core';
import type { Answer } from '@parley/core/client';
import { kebabCase } from '@parley/core/routes';
import { type Command, Option } from 'commander';
import { actListed, callListed, connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { pagesOf } from '../client/pages.ts';
import { shownGiven } from '../client/shown-id.ts';
import { exampleOf } from '../flags/command-line.ts';
import { flagsOf, type InputFlag, inputOf, switchesOf } from '../flags/flags.ts';
import { writeNewFile } from '../new-file.ts';
import { printPages, withJson, withPager } from '../print/answer.ts';
import { invitationPrompt, needsBoard, needsView, showAnswer } from '../print/answer-view.ts';
import { type ContractPart, isArtifacts } from '../print/contract/contract-answer.ts';
import { type ReadMarks, readMarks } from '../print/contract/section-marks.ts';
import { rethrowWithGrounds } from '../print/grounds.ts';
import { writtenLines } from '../print/next-step.ts';
import type { Terminal } from '../terminal.ts';
import { addAllFlags, isForAll, requireOneOrAll, runForAll } from './all-sessions-at-once.ts';
import { makeAnswerOptional, requireAnswer, withAnswer } from './asked-answer.ts';
import { addConfirmation, confirmedInput } from './confirmation.ts';
import { addRecordArgument, withRecord } from './record-argument.ts';
import { addSecretFlag, withSecret } from './secret-member.ts';

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
    const asked = await withAnswer(typed, { client, sessionId, shownId }, terminal);
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
