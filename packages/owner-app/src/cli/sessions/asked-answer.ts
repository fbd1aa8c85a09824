import type { Answer } from '@parley/core/client';
import type { Json } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { shortenText, wrapText } from '../../text/width.ts';
import type { OwnerClient } from '../client/owner-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type InputFlag, makeOptional } from '../flags/flags.ts';
import { type NameOf, namesIn } from '../print/agent-names.ts';
import { quotedLines } from '../print/blocks.ts';
import type { Terminal } from '../terminal.ts';

/** The operation whose command asks a person at a terminal for the text. */
const ANSWER = 'answerQuestion';

/** The number of columns of a turn's summary that are shown with the question. */
const TURN_COLUMNS = 600;

/** Makes `--text` of `answer-question` optional. Call it after `exampleOf`, so that the example contains `--text`. */
export function makeAnswerOptional(operation: string, flags: readonly InputFlag[]): void {
  if (operation === ANSWER) makeOptional(flags.filter(({ member }) => member === 'text'));
}

interface Typed {
  readonly operation: string;
  readonly input: Json;
  /** Whether the command line contains `--json`. Such a command does not ask. */
  readonly isScript: boolean;
}

/** @throws CliError with the exit code USAGE if an answer has no text and the command cannot ask for the text */
export function requireAnswer({ operation, input, isScript }: Typed, terminal: Terminal): void {
  if (operation !== ANSWER || input.text !== undefined || (!isScript && terminal.question)) return;
  throw new CliError(
    EXIT.USAGE,
    'Give your answer with --text <text>. In a terminal you can leave out --text: the command then shows the question and asks for your answer.',
  );
}

interface AskedSession {
  readonly client: OwnerClient;
  readonly sessionId: string;
  /** The id of the session in printed commands. */
  readonly shownId: string;
}

/**
 * Returns the input of the operation. If the text of an answer is missing, first shows the question and asks for it.
 *
 * @throws CliError with the exit code REFUSED if the question is not open, or if the person types no text
 */
export async function withAnswer(
  { operation, input }: Pick<Typed, 'operation' | 'input'>,
  { client, sessionId, shownId }: AskedSession,
  terminal: Terminal,
): Promise<Json> {
  if (operation !== ANSWER || input.text !== undefined) return input;
  const id = String(input.question_id);
  const { records, context } = await client.call('records', { session_id: sessionId, id });
  const question = records[0] as Question | undefined;
  if (question?.status !== 'OPEN')
    throw new CliError(EXIT.REFUSED, `${id} is ${question?.status ?? ''}. Nothing was changed.`);
  const view = await client.call('view', { session_id: sessionId });
  for (const line of questionLines({ question, context }, namesIn(view), terminal)) terminal.out(line);
  terminal.out(terminal.paint('dim', `in full: ${terminal.program} show ${shownId} ${id}`));
  terminal.out('');
  const text = ((await terminal.question?.(`Your answer to ${id}, which you cannot change afterwards: `)) ?? '').trim();
  if (text === '') throw new CliError(EXIT.REFUSED, 'You typed no answer. Nothing was changed.');
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
