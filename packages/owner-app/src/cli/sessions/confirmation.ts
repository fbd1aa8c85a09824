import type { Answer, OwnerInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import type { Command } from 'commander';
import { namedText } from '../../text/agent.ts';
import { readSections } from '../../text/contract-reading.ts';
import type { Json } from '../../text/read-as.ts';
import { shortenText, wrapText } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import type { OwnerClient } from '../client/owner-client.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { repeatedLine } from '../flags/command-line.ts';
import { type InputFlag, makeOptional } from '../flags/flags.ts';
import { quotedLines } from '../print/answer.ts';
import { showAnswer } from '../print/answer-view.ts';
import { type NameOf, namesIn, seenIn } from '../print/names.ts';
import { stepOf } from '../print/next-step.ts';
import type { Terminal } from '../terminal.ts';

/** The operations whose commands show a brief and ask for confirmation when a person types them. */
const ASKING: ReadonlySet<string> = new Set(['approveContract', 'authorize']);

/** Number of characters of the hash that a person must type to confirm. */
const TYPED_CHARS = 8;

/**
 * Adds `--yes` to a command that asks for confirmation. The flags of `approve-contract` become optional, because the
 * brief contains their values.
 */
export function addConfirmation(command: Command, operation: string, flags: readonly InputFlag[]): void {
  if (!ASKING.has(operation)) return;
  command.option('--yes', 'do not show the brief and do not ask for confirmation');
  if (operation === 'approveContract') makeOptional(flags);
}

interface Typed {
  readonly operation: string;
  readonly input: Json;
  /** Whether the command line contains `--json`, or `--yes` in place of a confirmation. Such a command does not ask. */
  readonly isScript: boolean;
  readonly sessionId: string;
  /** The id of the session in printed commands. */
  readonly shownId: string;
}

/**
 * Returns the input of the operation. If a person at a terminal must confirm the operation, first shows the brief and
 * asks.
 *
 * @throws CliError with the exit code REFUSED if a condition for the step is not met, or if the text that the person
 * types does not match
 * @throws CliError with the exit code USAGE if the command cannot ask, or `approve-contract` has only one of its two flags
 */
export async function confirmedInput(typed: Typed, client: OwnerClient, terminal: Terminal): Promise<Json> {
  const { operation, input, isScript, sessionId } = typed;
  if (!ASKING.has(operation)) return input;
  const isApproval = operation === 'approveContract';
  const named = [input.revision_id, input.content_hash].filter((value) => value !== undefined).length;
  if (isApproval ? named === 2 : isScript) return input;
  const stage = isApproval ? 'approval' : String(input.stage);
  const asked = { session_id: sessionId, stage } as OwnerInput<'brief'>;
  const brief = await client.call('brief', asked);
  const view = await client.call('view', { session_id: sessionId });
  if (named === 1 || isScript || !terminal.question) {
    requireNothingMissing(brief, namesIn(view));
    throw wrongUsage(unaskedText(typed, brief, terminal));
  }
  const shown = { terminal, url: client.url, sessionId, view, isAsked: true };
  for (const line of showAnswer('brief', brief, shown)) terminal.out(line);
  requireNothingMissing(brief, namesIn(view));
  terminal.out('');
  for (const line of wrapText(askedText(brief), terminal.columns)) terminal.out(line);
  await requireTyped((isApproval ? brief.content_hash : brief.manifest_sha256) ?? '', stage, terminal);
  const seen = input.seen === undefined ? seenIn(brief) : {};
  return { ...input, ...(isApproval && { revision_id: brief.revision_id, content_hash: brief.content_hash }), ...seen };
}

/** Why the command cannot ask, and the whole command that takes the step on what the brief shows now. */
function unaskedText({ input, shownId }: Typed, brief: Answer<'brief'>, { program }: Terminal): string {
  const step = stepOf(brief, shownId);
  const why =
    brief.stage === 'approval'
      ? 'Name the revision to approve with --revision-id and --content-hash. In a terminal you can leave out both flags: the command then shows the brief and asks you to confirm.'
      : 'Confirm with --yes that nobody is asked. In a terminal you can leave it out: the command then shows the brief and asks you to confirm.';
  return [
    why,
    `To take this step on what \`${program} brief ${shownId} --stage ${brief.stage}\` shows now:`,
    `  ${repeatedLine(program, { ...step, payload: { ...input, ...step.payload }, isScript: true })}`,
  ].join('\n');
}

/**
 * What is approved or authorized, above the prompt: the revision and the hash, the number of sections that the owner has
 * not read, and the requests for changes that no revision names as a cause. The brief above it may not be on the screen.
 */
export function askedText(brief: Answer<'brief'>): string {
  const { stage, revision_id, content_hash, manifest_sha256 } = brief;
  const unread = readSections(brief.unread).length;
  const asked =
    stage === 'approval'
      ? `${revision_id}, content_hash ${content_hash}`
      : `${stage} of ${revision_id}, manifest ${manifest_sha256}`;
  const requests = brief.requests
    .filter(({ answered_by, is_named }) => answered_by !== null && !is_named)
    .map(({ message_id }) => `Check first: your request #${message_id}.`);
  const notRead = unread > 0 ? `; not read: ${plural(unread, 'section')}` : '';
  return visibleLine([`${asked}${notRead}${unread + requests.length > 0 ? '.' : ''}`, ...requests].join(' '));
}

/** @throws CliError with the exit code REFUSED if the service would refuse the step now */
function requireNothingMissing(brief: Answer<'brief'>, nameOf: NameOf): void {
  const missing = brief.missing.map((text) => `  ${visibleLine(namedText(text, nameOf))}`);
  if (missing.length > 0)
    throw commandFailed(
      ['This step is not possible yet, and nothing was changed. What is missing:', ...missing].join('\n'),
    );
}

/**
 * Asks the person to type the beginning of the hash. For an authorization, the name of the stage is accepted too.
 *
 * @throws CliError with the exit code REFUSED if the person types something else
 */
async function requireTyped(hash: string, stage: string, terminal: Terminal): Promise<void> {
  const expected = hash.slice(0, TYPED_CHARS);
  const isApproval = stage === 'approval';
  const asked = isApproval
    ? `To approve exactly this revision, type the first ${TYPED_CHARS} characters of its content_hash: `
    : `To authorize, type "${stage}" or the first ${TYPED_CHARS} characters of the manifest's hash: `;
  const typed = ((await terminal.question?.(asked)) ?? '').trim().toLowerCase();
  if (typed === expected || (!isApproval && typed === stage)) return;
  throw commandFailed('What you typed does not match. Nothing was changed. To try again, run the command again.');
}

/** The operation whose command asks a person at a terminal for the text. */
const ANSWER = 'answerQuestion';

/** The number of columns of a turn's summary that are shown with the question. */
const TURN_COLUMNS = 600;

/** Makes `--text` of `answer-question` optional. Call it after `exampleOf`, so that the example contains `--text`. */
export function makeAnswerOptional(operation: string, flags: readonly InputFlag[]): void {
  if (operation === ANSWER) makeOptional(flags.filter(({ member }) => member === 'text'));
}

/** @throws CliError with the exit code USAGE if an answer has no text and the command cannot ask for the text */
export function requireAnswer(
  { operation, input, isScript }: Pick<Typed, 'operation' | 'input' | 'isScript'>,
  terminal: Terminal,
): void {
  if (operation !== ANSWER || input.text !== undefined || (!isScript && terminal.question)) return;
  throw wrongUsage(
    'Give your answer with --text <text>. In a terminal you can leave out --text: the command then shows the question and asks for your answer.',
  );
}

/**
 * Returns the input of the operation. If the text of an answer is missing, first shows the question and asks for it.
 *
 * @throws CliError with the exit code REFUSED if the question is not open, or if the person types no text
 */
export async function withAnswer(
  { operation, input, sessionId, shownId }: Typed,
  client: OwnerClient,
  terminal: Terminal,
): Promise<Json> {
  if (operation !== ANSWER || input.text !== undefined) return input;
  const id = String(input.question_id);
  const { records, context } = await client.call('records', { session_id: sessionId, id });
  const question = records[0] as Question | undefined;
  if (question?.status !== 'OPEN') throw commandFailed(`${id} is ${question?.status ?? ''}. Nothing was changed.`);
  const view = await client.call('view', { session_id: sessionId });
  for (const line of questionLines({ question, context }, namesIn(view), terminal)) terminal.out(line);
  terminal.out(terminal.paint('dim', `in full: ${terminal.program} show ${shownId} ${id}`));
  terminal.out('');
  const text = ((await terminal.question?.(`Your answer to ${id}, which you cannot change afterwards: `)) ?? '').trim();
  if (text === '') throw commandFailed('You typed no answer. Nothing was changed.');
  return { ...input, text };
}

/** The record of a question has the form that `view` shows. */
type Question = Answer<'view'>['questions'][number];

interface Shown {
  readonly question: Question;
  readonly context: Answer<'records'>['context'];
}

/** The question in full, the summary of the turn that asked it, and each recommendation of the moderator on one line. */
function questionLines({ question, context }: Shown, nameOf: NameOf, terminal: Terminal): string[] {
  const { columns, paint } = terminal;
  const effect = question.blocking ? ' (blocks the contract)' : '';
  const turn = context?.events.find(({ summary }) => summary)?.summary;
  const line = (head: string, text: string): string => shortenText(visibleLine(`${head}: ${text}`), columns);
  return [
    paint('bold', visibleLine(`${nameOf(question.from)} asks${effect}:`)),
    ...quotedLines(question.text, terminal),
    ...(turn ? wrapText(shortenText(visibleLine(`its turn: ${turn}`), TURN_COLUMNS), columns) : []),
    ...(context?.advice ?? []).map(({ recommendation, text }) =>
      line('the moderator recommends', `${recommendation}: ${text ?? ''}`),
    ),
  ];
}
