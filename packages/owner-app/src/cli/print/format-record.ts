import type { Answer } from '@parley/core/client';
import { isRecord } from '@parley/core/json';
import { timeText } from '@parley/core/text';
import { recordTexts } from '@parley/core/words';
import { indented, type Page } from '../../text/page.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { hasRecordPath, partPath, recordPath } from '../../text/record-address.ts';
import { COST_OF_FIX, defectChoices, otherAgent } from '../../text/record-words.ts';
import { outlineLines, tableLines, wrapText } from '../../text/table.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import { type Seen, settlingLine } from '../flags/command-line.ts';
import { block, indentedLines, quotedLines, textBlock } from './answer.ts';
import { ordered, stepsOf } from './contract/format-contract.ts';
import { attemptLines, type Defect } from './format-board.ts';
import type { NameOf } from './names.ts';

type Diff = Answer<'diff'>;

/** Formats a diff: a table of the changed values in the contract, then a patch of its text. */
export function formatDiff(diff: Diff, page: Page): string[] {
  const { base, truncated } = diff;
  const text = diff.text.replace(/\n$/, '');
  const fact = (label: string, value: string): string => `${page.paint('dim', label)}  ${visibleLine(value)}`;
  return [
    `${page.paint('bold', diff.revision_id)}  ${visibleLine(diff.title)}`,
    fact('content_hash       ', diff.content_hash),
    fact('compared with       ', base ? `${base.revision_id} ${base.content_hash}` : 'the empty contract'),
    fact('reason             ', diff.reason),
    '',
    ...changeLines(diff, page),
    ...(text === '' ? ['The text is the same.'] : text.split('\n').map((line) => patchLine(line, page))),
    ...(truncated ? ['', 'The text was cut at 60,000 characters. The table contains all changes.'] : []),
  ];
}

function changeLines({ ops }: Diff, page: Page): string[] {
  const rows = ops.map(({ op, path }) => [op, path || '(the whole contract)']);
  if (rows.length === 0) return ['No value changed.', ''];
  return [...tableLines({ heads: ['change', 'at'], rows }, page), ''];
}

function patchLine(line: string, { paint }: Page): string {
  const shown = visible(line);
  if (/^(\+\+\+|---) /.test(line)) return paint('bold', shown);
  if (line.startsWith('@@')) return paint('cyan', shown);
  if (line.startsWith('~')) return wordsLine(shown, paint);
  if (line.startsWith('+')) return paint('green', shown);
  return line.startsWith('-') ? paint('red', shown) : shown;
}

/** Formats a line of a word diff: `[-removed-]` in red and `{+added+}` in green. */
const wordsLine = (line: string, paint: Page['paint']): string =>
  line
    .replace(/\[-.*?-\]/g, (removed) => paint('red', removed))
    .replace(/\{\+.*?\+\}/g, (added) => paint('green', added));

type View = Answer<'view'>;
type Context = NonNullable<Answer<'records'>['context']>;
type Test = Extract<NonNullable<Answer<'plan'>['contract']>, { readonly title: string }>['tests'][number];
/** What `formatRecord` needs in addition to the answer of the operation `records`. */
interface RecordPlace {
  readonly nameOf: NameOf;
  /** The address of the service, to which a path of the console is appended. */
  readonly consoleUrl: string;
  /** The whole id of the session, for addresses in the console. */
  readonly sessionId: string;
  /** The id of the session in printed commands: the whole id or a prefix. */
  readonly shownId: string;
  /** The id of the latest revision. Empty if there is none. */
  readonly latestRevision: string;
  /** The latest event in the answer that is printed. */
  readonly seen: Seen;
  /** The command line that runs this program, such as `npx parley`. */
  readonly program: string;
  /** Whether the session has ended. */
  readonly isOver: boolean;
}

/** Members that are printed on the first line of a record. */
const HEAD = {
  ...({ topic: 'text', title: 'text', name: 'text', status: 'text' } as const),
  ...({ supersedes: 'text', superseded_by: 'text' } as const),
};

/** Members that are not printed, because the first line or the list of changes shows them. */
const REPEATED = new Set([...Object.keys(HEAD), 'active', 'changes']);

/** Members of an action that only its agent needs: the call that the agent has to make. */
const FOR_AGENTS = new Set(['tool', 'route', 'payload']);

/** Maximum number of lines of the part of the contract that a finding names. */
const PART_LINES = 6;

/** Formats an answer of the operation `records` that contains one record in full, with its context. */
export function formatRecord({ records, context }: Answer<'records'>, place: RecordPlace, page: Page): string[] {
  const [found] = records;
  if (!found || !context) return [];
  const { nameOf } = place;
  const id = idOf(found, context);
  const isReplaced = context.type === 'revision' && id !== place.latestRevision;
  const record = isReplaced ? { ...found, superseded_by: place.latestRevision } : found;
  return [
    headLine(record, context, id, page),
    ...context.events.map((event) => eventLine(event, nameOf)),
    ...memberLines(hasRecordPath(id) ? legible(record, nameOf) : record, { type: context.type, id }, page),
    ...(context.changes ?? []).flatMap((change) => recordChangeLines(change, page)),
    ...(context.type === 'defect' ? [] : placeLines(context, place, page)),
    ...context.events.flatMap((event) => turnLines(event, page)),
    ...adviceLines(context, page),
    ...(context.attempt ? [] : (context.scenarios ?? []).flatMap((scenario) => scenarioLines(scenario, place, page))),
    ...(isDefect(record, context) ? defectLines(record, context, place, page) : []),
    '',
    ...addressLines(record, { id, context, place }, page),
  ];
}

/** The finding on which a hold rests. Undefined for any other record. */
export const findingOf = ({ records: [record], context }: Answer<'records'>): string | undefined =>
  record && context?.type === 'hold' ? (record as View['holds'][number]).finding_id : undefined;

/** A record has the form of its type. */
const isDefect = (_record: Json, { type }: Context): _record is Defect => type === 'defect';

/** An action without the members in `FOR_AGENTS`. Any other record stays unchanged. */
export const forOwner = (record: Json): Json =>
  record.action_id === undefined
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => !FOR_AGENTS.has(name)));

export const placeLine = (address: string, { paint }: Page): string => `${paint('dim', 'in the console')}  ${address}`;

interface Shown {
  readonly id: string;
  readonly context: Context;
  readonly place: RecordPlace;
}

/** The addresses in the console: of the record, and of the part of the contract that belongs to the record. */
function addressLines(record: Json, { id, context, place }: Shown, page: Page): string[] {
  const { consoleUrl, sessionId, latestRevision } = place;
  const part = isDefect(record, context) ? record.scenario_id : partOf(id, context);
  const revision = context.contract?.revision_id ?? latestRevision;
  const address = placeLine(`${consoleUrl}${recordPath(sessionId, id)}`, page);
  if (part === '' || revision === '') return [address];
  const path = partPath(sessionId, part, revision === latestRevision ? undefined : revision);
  return [
    ...(hasRecordPath(id) ? [address] : []),
    `${page.paint('dim', `in contract ${revision}`)}  ${consoleUrl}${path}`,
  ];
}

/**
 * The id of the part of the contract that the record concerns. If the record is a part itself, its id.
 *
 * @param id the id of the record or part
 */
function partOf(id: string, { type, contract }: Context): string {
  if (!hasRecordPath(id)) return id;
  return type === 'decision' && contract ? id : (contract?.part_id ?? '');
}

/** The id of a record, such as its member `question_id`. A record of the contract has its id in the member `id`. */
function idOf(record: Json, { type }: Context): string {
  const member = `${type}_id`;
  return readAs(record, { [member]: 'text' })[member] || readAs(record, { id: 'text' }).id;
}

function headLine(record: Json, { type }: Context, id: string, { paint }: Page): string {
  const head = readAs(record, HEAD);
  const facts = [
    type.replaceAll('_', ' '),
    head.status,
    head.superseded_by && `replaced by ${head.superseded_by}`,
    head.supersedes && `replaces ${head.supersedes}`,
  ];
  const title = visibleLine(head.topic || head.title || head.name);
  return `${paint('bold', [id, title].filter(Boolean).join('  '))}  ${paint('dim', facts.filter(Boolean).join(', '))}`;
}

type RecordEvent = Context['events'][number];

const turnOf = ({ record: { id } }: RecordEvent): string => `turn ${Number(id) + 1}`;

function eventLine(event: RecordEvent, nameOf: NameOf): string {
  const { what, from, id, at, kind, record } = event;
  const about = record.type === 'turn' ? turnOf(event) : `${kind} ${record.id}`;
  return `${what} by ${visibleLine(nameOf(from))} with ${visibleLine(about)}, #${id}, ${timeText(at)}`;
}

/**
 * The summary of the turn in which a question was asked or a decision was proposed, because the summary gives the
 * reason.
 */
const turnLines = (event: RecordEvent, page: Page): string[] =>
  event.summary && event.what !== 'answered' ? textBlock(`${turnOf(event)} says`, event.summary, page) : [];

const adviceLines = ({ advice = [] }: Context, page: Page): string[] =>
  advice.flatMap(({ recommendation_id, recommendation, text }) =>
    textBlock(`the moderator recommends (${recommendation_id})`, `${recommendation}: ${text ?? ''}`, page),
  );

/**
 * A scenario that concerns a record: its status, and a table of its evidence. Each row has the command that shows the
 * message with the evidence.
 */
function scenarioLines(scenario: NonNullable<Context['scenarios']>[number], place: RecordPlace, page: Page): string[] {
  const { scenario_id, status, attempt, title, evidence } = scenario;
  const run = attempt === null ? '' : `, run ${attempt}`;
  const rows = evidence.map(({ by, kind, failed, message_id }) => [
    place.nameOf(by),
    kind,
    failed ? 'failed' : 'passed',
    showCommand(place, message_id),
  ]);
  const heads = ['evidence of', 'kind', 'checks', 'command to read it'];
  return [
    ...block(`${scenario_id} ${status ?? 'not run yet'}${run}: ${title}`, [], page),
    ...(rows.length === 0 ? ['No evidence yet.'] : tableLines({ heads, rows }, page)),
  ];
}

const ROLES = ['agent_a', 'agent_b'];

/**
 * The members of a record, in which the names of agents replace their roles, and times have the form of `timeText`. Not
 * for a part of the contract, whose texts are shown as they are.
 */
const legible = (record: Json, nameOf: NameOf): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      ROLES.includes(name) ? nameOf(name) : name,
      legibleValue(value, nameOf),
    ]),
  );

function legibleValue(value: unknown, nameOf: NameOf): unknown {
  if (Array.isArray(value)) return value.map((item) => legibleValue(item, nameOf));
  if (isRecord(value)) return legible(value, nameOf);
  if (typeof value !== 'string') return value;
  if (ROLES.includes(value)) return nameOf(value);
  return timeText(value);
}

function memberLines(record: Json, { type, id }: { readonly type: string; readonly id: string }, page: Page): string[] {
  const isShown = ([name, value]: [string, unknown]): boolean => value !== null && value !== id && !REPEATED.has(name);
  const members = Object.entries(forOwner(record)).filter(isShown);
  const texts = recordTexts(type, Object.fromEntries(members));
  const facts = members.filter(([name]) => texts.every(({ member }) => member !== name));
  return [
    ...outlineLines(ordered(Object.fromEntries(facts)), page),
    ...texts.flatMap(({ label, text }) => textBlock(label, text, page)),
  ];
}

const recordChangeLines = ({ from, to, words }: NonNullable<Context['changes']>[number], page: Page): string[] =>
  block(
    `${from} → ${to}`,
    quotedLines(words, page).map((line) => wordsLine(line, page.paint)),
    page,
  );

type Part = NonNullable<Context['contract']>;

function placeLines({ type, contract: part }: Context, place: RecordPlace, page: Page): string[] {
  if (!part || type === 'decision') return [];
  const head = `${part.pointer} of ${part.revision_id}`;
  const lines = part.value === undefined ? [] : outlineLines(part.value, page);
  if (type !== 'finding' || lines.length <= PART_LINES) return block(head, lines, page);
  const more = page.paint('dim', `…  in full: ${partCommand(part, place)}`);
  return block(head, [...lines.slice(0, PART_LINES), more], page);
}

/** The command that shows a part of the contract, or the section of an earlier revision that contains the part. */
function partCommand({ revision_id, part_id, pointer }: Part, place: RecordPlace): string {
  if (part_id && revision_id === place.latestRevision) return showCommand(place, visibleLine(part_id));
  const section = visibleLine(pointer.split('/')[1] ?? '');
  return `${place.program} revision ${place.shownId} --revision-id ${shellWord(revision_id)} --section ${shellWord(section)}`;
}

/** The command that shows a record or a message of the session. */
const showCommand = ({ program, shownId }: RecordPlace, id: string | number): string =>
  `${program} show ${shownId} ${shellWord(String(id))}`;

/**
 * What the owner needs to judge a defect: the test of the contract, who has to fix it, earlier reassignments, the
 * evidence of both agents, the verdict, what the assignee says against the defect, questions about the defect with their
 * answers, and the commands that settle the defect.
 */
function defectLines(defect: Defect, context: Context, place: RecordPlace, page: Page): string[] {
  const { attempt, scenarios: [scenario] = [], disputes = [], interventions = [] } = context;
  return [
    ...testLines(context, place, page),
    ...(attempt && scenario
      ? block(
          `${scenario.scenario_id}/${attempt.attempt}: ${scenario.title}`,
          attemptLines(attempt, place.nameOf, page),
          page,
        )
      : []),
    ...disputes.flatMap((finding) => disputeLines(finding, place, page)),
    ...interventions.flatMap((one) => interventionLines(one, place, page)),
    ...commandLines(defect, place, page),
  ];
}

/** Each reassignment of a defect by the owner: to whom, when, and why. */
const reassignedTexts = ({ reassigned = [] }: Context, { nameOf }: RecordPlace): string[] =>
  reassigned.map(({ to, message_id, at, reason }) => {
    const text = `reassigned to ${nameOf(to)}, #${message_id}, ${timeText(at)}`;
    return reason ? `${text}, reason: ${reason}` : text;
  });

function testLines(context: Context, place: RecordPlace, page: Page): string[] {
  const { nameOf } = place;
  const given = reassignedTexts(context, place);
  // The value is the test that found the defect. An approved contract has no errors.
  const test = context.contract?.value as Test | undefined;
  if (!test) return given.flatMap((text) => wrapText(visibleLine(text), page.columns));
  const { id, executor, requirements, responsible } = test;
  const duty = [...(responsible ? [`by the contract, failures are fixed by ${nameOf(responsible)}`] : []), ...given];
  const texts = [
    `run by ${nameOf(executor)}; proves ${requirements.join(', ')}`,
    ...(duty.length === 0 ? [] : [duty.join('; ')]),
  ];
  return [
    ...block(`what the contract expects of ${id}`, [], page),
    ...texts.flatMap((text) => wrapText(visibleLine(text), page.columns)),
    ...outlineLines(stepsOf(test), indented(page, 2)).map((line) => `  ${line}`),
  ];
}

function disputeLines(
  { finding_id, raised_by, text, other_response, response }: NonNullable<Context['disputes']>[number],
  { nameOf }: RecordPlace,
  page: Page,
): string[] {
  const answers = [other_response, response].flatMap((answer) => answer ?? []);
  return [
    ...block(`disputed by ${nameOf(raised_by)} in ${finding_id}`, [], page),
    ...indentedLines(text ?? '', page),
    ...answers.flatMap((answer) => [
      page.paint('bold', visibleLine(`${nameOf(answer.by)} answers: ${answer.decision}`)),
      ...indentedLines(answer.response ?? '', page),
    ]),
  ];
}

function interventionLines(
  { intervention_id, type, from, status, text, responses }: NonNullable<Context['interventions']>[number],
  { nameOf }: RecordPlace,
  page: Page,
): string[] {
  return [
    ...textBlock(`${intervention_id}, ${type} by ${nameOf(from)}, ${status}`, text ?? '', page),
    ...responses.flatMap((response) => {
      const name = nameOf(response.role);
      return response.text
        ? [page.paint('bold', visibleLine(`${name} answers:`)), ...indentedLines(response.text, page)]
        : [visibleLine(`${name}: ${response.status}`)];
    }),
  ];
}

/** What the owner can decide and what follows, with the commands. Empty if the defect is settled or the session has ended. */
function commandLines(
  { defect_id, status, assigned_to: assignedTo }: Defect,
  { program, shownId: sessionId, nameOf, isOver, seen }: RecordPlace,
  page: Page,
): string[] {
  if (isOver || (status !== 'OPEN' && status !== 'FIXED')) return [];
  const role = otherAgent(assignedTo);
  const choices = defectChoices({ status, assignedTo }, nameOf);
  return [
    ...block(`leave it with ${nameOf(assignedTo)} (nothing to do)`, [], page),
    ...indentedLines(choices.leave, page),
    ...block(`or give it to ${nameOf(role)}`, [], page),
    ...indentedLines(choices.give, page),
    settlingLine(program, { operation: 'reassignDefect', sessionId, payload: { defect_id, role }, seen }),
    ...block('or waive it', [], page),
    ...indentedLines(choices.waive, page),
    settlingLine(program, { operation: 'waiveDefect', sessionId, payload: { defect_id }, seen }),
    '',
    ...wrapText(COST_OF_FIX, page.columns),
  ];
}
