import { kebabCase } from '@parley/core/routes';
import { insteadOf } from '@parley/core/text';
import { isPlaceholder } from '../../text/inbox.ts';
import type { Json } from '../../text/read-as.ts';
import { shellWord } from '../../text/visible.ts';
import type { Terminal } from '../terminal.ts';
import type { InputFlag } from './flags.ts';
import { type CommandReference, commandNamed, describeFlag, type FlagReference } from './reference.ts';

/** The member of an operation's input that names one record, and an id for the example in the help. */
interface NamedRecord {
  readonly member: string;
  readonly sample: string;
}

/** The operations on one record, whose commands accept the id of the record after the session. */
export const NAMED_RECORDS: ReadonlyMap<string, NamedRecord> = new Map([
  ['answerQuestion', { member: 'question_id', sample: 'q_3' }],
  ['overrideFinding', { member: 'finding_id', sample: 'f_3' }],
  ['releaseHold', { member: 'hold_id', sample: 'h_1' }],
  ['waiveDefect', { member: 'defect_id', sample: 'def_1' }],
  ['reassignDefect', { member: 'defect_id', sample: 'def_1' }],
  ['respondRecommendation', { member: 'recommendation_id', sample: 'rec_1' }],
  ['withdrawIntervention', { member: 'intervention_id', sample: 'i_1' }],
]);

/**
 * An example of a command line: a command on a session with all its mandatory flags.
 *
 * @param record the id of a record after the session; empty if the command has none
 */
export function exampleOf(name: string, flags: readonly InputFlag[], record = ''): string {
  const needed = flags.flatMap(({ options }) => options.filter(({ mandatory }) => mandatory));
  return [
    'parley',
    name,
    'SESSION',
    ...(record ? [record] : []),
    ...needed.map((option) => `${option.long} ${sampleOf(describeFlag(option))}`),
  ].join(' ');
}

/** The latest event that the owner was shown: its number, and the beginning of its hash. Empty if it is not known. */
export interface Seen {
  readonly seen?: number;
  readonly seen_hash?: string;
}

/**
 * An owner operation that completes a task. `payload` contains the members of the operation's input that are already
 * known.
 */
export interface Settling {
  readonly operation: string;
  readonly sessionId: string;
  readonly payload: Json;
  /** Members that the owner can set to true besides. */
  readonly options?: readonly string[] | undefined;
  /** The latest event in what the owner was shown. */
  readonly seen?: Seen;
  /** Whether the line is for a script: a command that would ask at a terminal then has what it asks for. */
  readonly isScript?: boolean;
}

/** A task of a kind, with the operation that completes it. */
interface SettlingTask extends Settling {
  readonly kind: string;
}

/** Whether a line is for a script, because no command can ask a question here. */
export const isScriptAt = ({ question }: Pick<Terminal, 'question'>): boolean => question === undefined;

/**
 * The command line that calls an operation. The owner must replace each `"..."` in the command line. If
 * `NAMED_RECORDS` contains the operation, the id of the record follows the id of the session. At a terminal, the command line of
 * an approval has the flag of an option alone, because `parley approve-contract` itself shows the brief and asks for the hash. Any
 * other command that decides on records that can change has the flags `--seen` and `--seen-hash`.
 */
export function settlingLine(program: string, { payload, ...settling }: Settling): string {
  if (settling.operation === 'approveContract' && !settling.isScript)
    return lineOf(program, { ...settling, payload: { authorize_build: payload.authorize_build } });
  return repeatedLine(program, { ...settling, payload: { ...PLACES[settling.operation], ...payload } });
}

/** The command line that repeats a call with another `--seen` and `--seen-hash`. */
export const repeatedLine = (program: string, { payload, seen, ...settling }: Settling): string =>
  lineOf(program, {
    ...settling,
    payload: { ...payload, ...seen, ...(settling.isScript && settling.operation === 'authorize' && { yes: true }) },
  });

function lineOf(program: string, { operation, sessionId, payload }: Omit<Settling, 'seen'>): string {
  if (operation === 'verifyLog') return `${program} verify-log ${shellWord(sessionId)}`;
  const command = commandNamed(kebabCase(operation));
  if (!command) return `${program} view ${shellWord(sessionId)}`;
  const { [NAMED_RECORDS.get(operation)?.member ?? '']: record, ...flagged } = payload;
  const named = record === undefined ? [] : [valueText(record)];
  return [program, command.name, shellWord(sessionId), ...named, ...flagTexts(command, flagged)].join(' ');
}

/** Optional members for which the line contains a place: a text that the other agents read. */
const PLACES: Readonly<Record<string, Json>> = {
  answerQuestion: { text: '<your answer>' },
  reassignDefect: { reason: '<reason>' },
};

/**
 * The command lines that complete a task; the owner runs one of them. If the owner must choose a word for a mandatory
 * flag, there is one line for each word. The last lines are what the owner can do instead.
 */
export function settlingLines(program: string, { kind, ...settling }: SettlingTask): string[] {
  const { operation, payload, options = [] } = settling;
  const open = commandNamed(kebabCase(operation))?.flags.find((flag) => choicesOf(flag, payload).length > 0);
  const lines = open
    ? choicesOf(open, payload).map((word) =>
        settlingLine(program, { ...settling, payload: { ...payload, [memberOf(open)]: word } }),
      )
    : [settlingLine(program, settling), ...options.map((option) => optionLine(program, settling, option))];
  const others = insteadOf({ kind, operation, payload }, 'command line');
  return [...lines, ...others.map((instead) => settlingLine(program, { ...settling, ...instead }))];
}

/** The command line that also decides what an option names, such as the build with the approval. */
export const optionLine = (program: string, { payload, ...settling }: Settling, option: string): string =>
  settlingLine(program, { ...settling, payload: { ...payload, [option]: true } });

/** The words from which the owner must choose for a mandatory flag. Empty if the payload already contains the value. */
function choicesOf(flag: FlagReference, payload: Json): readonly string[] {
  const taken = flag.isRequired && payload[memberOf(flag)] === undefined ? flag.taken : undefined;
  return taken && !taken.isList ? taken.words : [];
}

const memberOf = ({ flag }: FlagReference): string => flag.slice(2).replaceAll('-', '_');

function flagTexts({ flags }: CommandReference, payload: Json): string[] {
  return flags.flatMap((flag) => {
    const value = payload[memberOf(flag)];
    if (value === undefined && !flag.isRequired) return [];
    if (flag.takes === undefined) return value ? [flag.flag] : [];
    return [`${flag.flag} ${value === undefined || isPlaceholder(value) ? sampleOf(flag) : valueText(value)}`];
  });
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return shellWord(value.map(String).join(','));
  return shellWord(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function sampleOf({ taken, takes }: FlagReference): string {
  if (taken) return taken.isList ? taken.words.join(',') : (taken.words[0] ?? '');
  return takes === 'number' ? '2' : '"..."';
}
