import type { Command } from 'commander';
import { operationRoute } from '../../server/api/owner-routes.ts';
import { kebabCase } from '../../text/kebab.ts';
import { visibleLine } from '../../text/visible.ts';
import { recordsIn } from '../../transcript/message.ts';
import type { OwnerClient } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { InputFlag } from '../flags/flags.ts';
import type { Terminal } from '../terminal.ts';
import { recordPage } from './show.ts';

/** The member of an operation's input that names one record, and an id for the example in the help. */
interface NamedRecord {
  readonly member: string;
  readonly sample: string;
}

/** The operations on one record, whose commands accept the id of the record after the session. */
const RECORDS: ReadonlyMap<string, NamedRecord> = new Map([
  ['answerQuestion', { member: 'question_id', sample: 'q_3' }],
  ['overrideFinding', { member: 'finding_id', sample: 'f_3' }],
  ['releaseHold', { member: 'hold_id', sample: 'h_1' }],
  ['waiveDefect', { member: 'defect_id', sample: 'def_1' }],
  ['reassignDefect', { member: 'defect_id', sample: 'def_1' }],
  ['respondRecommendation', { member: 'recommendation_id', sample: 'rec_1' }],
  ['withdrawIntervention', { member: 'intervention_id', sample: 'i_1' }],
]);

const ANSWER = 'answerQuestion';

/**
 * Adds the id of the record as the second argument of a command on one record. The flag for the id becomes optional.
 *
 * @returns the id for the example in the help. Empty for other operations
 */
export function addRecordArgument(command: Command, operation: string, flags: readonly InputFlag[]): string {
  const record = RECORDS.get(operation);
  if (!record) return '';
  const flag = flagOf(record);
  command.argument('[record_id]', `id of the record, such as ${record.sample}, in place of ${flag}`);
  for (const option of optionsOf(flags, record.member)) option.makeOptionMandatory(false);
  return record.sample;
}

/** Makes `--text` of `answer-question` optional. To be called after the example of the command is made. */
export function addAskedAnswer(operation: string, flags: readonly InputFlag[]): void {
  if (operation === ANSWER) for (const option of optionsOf(flags, 'text')) option.makeOptionMandatory(false);
}

const optionsOf = (flags: readonly InputFlag[], member: string) =>
  flags.filter((flag) => flag.member === member).flatMap(({ options }) => options);

const flagOf = ({ member }: NamedRecord): string => `--${member.replaceAll('_', '-')}`;

/**
 * Adds the id that was given after the session to the input of an operation on one record.
 *
 * @throws CliError with the exit code USAGE if no record is named, or two different records
 */
export function withRecord(operation: string, input: Json, given: string | undefined): Json {
  const record = RECORDS.get(operation);
  if (!record) return input;
  const { member, sample } = record;
  const flagged = input[member];
  if (given !== undefined && flagged !== undefined && given !== flagged)
    throw new CliError(
      EXIT.USAGE,
      `Name only one record: ${visibleLine(given)}, or ${flagOf(record)} ${visibleLine(String(flagged))}.`,
    );
  const id = given ?? flagged;
  if (id === undefined)
    throw new CliError(
      EXIT.USAGE,
      `Name the record after the session, such as: parley ${kebabCase(operation)} SESSION ${sample}`,
    );
  return { ...input, [member]: id };
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

/**
 * Returns the input of the operation. If the text of an answer is missing, first shows the question and asks for it.
 *
 * @throws CliError with the exit code REFUSED if the question is not open, or if the person types no text
 */
export async function withAnswer(
  { operation, input }: Pick<Typed, 'operation' | 'input'>,
  { client, sessionId }: { readonly client: OwnerClient; readonly sessionId: string },
  terminal: Terminal,
): Promise<Json> {
  if (operation !== ANSWER || input.text !== undefined) return input;
  const id = String(input.question_id);
  const answer = await client.call(operationRoute({ name: 'records', effect: 'read' }), { sessionId, input: { id } });
  for (const line of await recordPage(answer, { client, sessionId }, terminal)) terminal.out(line);
  const [{ status = '' } = {}] = recordsIn(answer, 'records');
  if (status !== 'OPEN') throw new CliError(EXIT.REFUSED, `${id} is ${status}. Nothing was changed.`);
  terminal.out('');
  const text = ((await terminal.question?.(`Your answer to ${id}, which you cannot change afterwards: `)) ?? '').trim();
  if (text === '') throw new CliError(EXIT.REFUSED, 'You typed no answer. Nothing was changed.');
  return { ...input, text };
}
