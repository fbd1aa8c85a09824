import { isRecord } from '@parley/core/json';
import { outlineLines } from '../../../text/outline.ts';
import type { Page } from '../../../text/page.ts';
import { hasRecordPath, partPath, recordPath } from '../../../text/record-address.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { tableLines } from '../../../text/table.ts';
import { timeText } from '../../../text/time.ts';
import { visibleLine } from '../../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../../transcript/message.ts';
import { ordered } from '../contract/ordered-members.ts';
import { forOwner } from '../for-owner.ts';
import { wordsLine } from '../format-diff.ts';
import { defectLines } from './format-defect.ts';
import { type RecordPlace, showCommand } from './record-place.ts';
import { headLines, quotedLines, sectionLines } from './section-lines.ts';

/** Members that are printed on the first line of a record. */
const HEADS = ['topic', 'title', 'name', 'status'] as const;

/** Members whose texts are printed as a paragraph below their names. */
const TEXTS = new Set([
  ...['text', 'position', 'answer', 'note', 'description', 'condition', 'response'],
  ...['resolution_criteria', 'reason', 'override_reason', 'waiver_reason', 'summary'],
]);

/** Members that are not printed, because the first line or the list of changes shows them. */
const REPEATED = new Set(['active', 'supersedes', 'superseded_by', 'changes']);

/** Maximum number of lines of the part of the contract that a finding names. */
const PART_LINES = 6;

/** Formats an answer of the operation `records` that contains one record in full, with its context. */
export function formatRecord(answer: Members, place: RecordPlace, page: Page): string[] {
  const { nameOf } = place;
  const [found = {}] = recordsIn(answer, 'records');
  const context = membersOf(answer.context);
  const id = idOf(found, textIn(context, 'type'));
  const isReplaced = context.type === 'revision' && id !== place.latestRevision;
  const record = isReplaced ? { ...found, superseded_by: place.latestRevision } : found;
  return [
    headLine(record, context, id, page),
    ...recordsIn(context, 'events').map((event) => eventLine(event, nameOf)),
    ...memberLines(hasRecordPath(id) ? legible(record, nameOf) : record, id, page),
    ...recordsIn(context, 'changes').flatMap((change) => changeLines(change, page)),
    ...(context.type === 'defect' ? [] : placeLines(context, place, page)),
    ...recordsIn(context, 'events').flatMap((event) => turnLines(event, page)),
    ...adviceLines(context, page),
    ...(context.attempt === undefined
      ? recordsIn(context, 'scenarios').flatMap((scenario) => evidenceLines(scenario, place, page))
      : []),
    ...(context.type === 'defect' ? defectLines(record, context, place, page) : []),
    '',
    ...addressLines(record, { id, context, place }, page),
  ];
}

export const placeLine = (address: string, { paint }: Page): string => `${paint('dim', 'in the console')}  ${address}`;

interface Shown {
  readonly id: string;
  readonly context: Members;
  readonly place: RecordPlace;
}

/** The addresses in the console: of the record, and of the part of the contract that belongs to the record. */
function addressLines(record: Members, { id, context, place }: Shown, page: Page): string[] {
  const { consoleUrl, sessionId, latestRevision } = place;
  const part = partOf(record, id, context);
  const revision = textIn(membersOf(context.contract), 'revision_id') || latestRevision;
  if (part === '' || revision === '') return [placeLine(`${consoleUrl}${recordPath(sessionId, id)}`, page)];
  const path = partPath(sessionId, part, revision === latestRevision ? undefined : revision);
  return [
    ...(hasRecordPath(id) ? [placeLine(`${consoleUrl}${recordPath(sessionId, id)}`, page)] : []),
    `${page.paint('dim', `in contract ${revision}`)}  ${consoleUrl}${path}`,
  ];
}

/**
 * The id of the part of the contract that the record concerns. If the record is a part itself, its id.
 *
 * @param id the id of the record or part
 */
function partOf(record: Members, id: string, context: Members): string {
  const contract = membersOf(context.contract);
  if (!hasRecordPath(id)) return id;
  if (context.type === 'defect') return textIn(record, 'scenario_id');
  return context.type === 'decision' && textIn(contract, 'revision_id') ? id : textIn(contract, 'part_id');
}

/** The id of a record, such as its member `question_id`. A record of the contract has its id in the member `id`. */
const idOf = (record: Members, type: string): string => textIn(record, `${type}_id`) || textIn(record, 'id');

function headLine(record: Members, context: Members, id: string, { paint }: Page): string {
  const replacement = textIn(record, 'superseded_by');
  const facts = [
    textIn(context, 'type').replaceAll('_', ' '),
    textIn(record, 'status'),
    replacement && `replaced by ${replacement}`,
    textIn(record, 'supersedes') && `replaces ${textIn(record, 'supersedes')}`,
  ];
  const title = visibleLine(textIn(record, 'topic') || textIn(record, 'title') || textIn(record, 'name'));
  return `${paint('bold', [id, title].filter(Boolean).join('  '))}  ${paint('dim', facts.filter(Boolean).join(', '))}`;
}

function eventLine(event: Members, nameOf: (role: string) => string): string {
  const { type, id } = membersOf(event.record);
  const about = type === 'turn' ? `turn ${Number(id) + 1}` : `${textIn(event, 'kind')} ${String(id)}`;
  return `${textIn(event, 'what')} by ${visibleLine(nameOf(textIn(event, 'from')))} with ${visibleLine(about)}, #${numberIn(event, 'id')}, ${timeText(event.at)}`;
}

/**
 * The summary of the turn in which a question was asked or a decision was proposed, because the summary gives the
 * reason.
 */
function turnLines(event: Members, page: Page): string[] {
  const summary = textIn(event, 'summary');
  if (summary === '' || event.what === 'answered') return [];
  return sectionLines(`turn ${Number(membersOf(event.record).id) + 1} says`, summary, page);
}

const adviceLines = (context: Members, page: Page): string[] =>
  recordsIn(context, 'advice').flatMap((advice) =>
    sectionLines(
      `the moderator recommends (${textIn(advice, 'recommendation_id')})`,
      `${textIn(advice, 'recommendation')}: ${textIn(advice, 'text')}`,
      page,
    ),
  );

/**
 * A scenario that concerns a record: its status, and a table of its evidence. Each row has the command that shows the
 * message with the evidence.
 */
function evidenceLines(scenario: Members, place: RecordPlace, page: Page): string[] {
  const evidence = recordsIn(scenario, 'evidence');
  const run = typeof scenario.attempt === 'number' ? `, run ${scenario.attempt}` : '';
  const status = textIn(scenario, 'status') || 'not run yet';
  const head = `${textIn(scenario, 'scenario_id')} ${status}${run}: ${textIn(scenario, 'title')}`;
  const rows = evidence.map((item) => [
    place.nameOf(textIn(item, 'by')),
    textIn(item, 'kind'),
    item.failed === true ? 'failed' : 'passed',
    showCommand(place, numberIn(item, 'message_id')),
  ]);
  return [
    ...headLines(head, page),
    ...(rows.length === 0
      ? ['No evidence yet.']
      : tableLines(
          { heads: ['evidence of', 'kind', 'checks', 'command to read it'], rows, flexible: 3 },
          page.columns,
          page.paint,
        )),
  ];
}

const ROLES = ['agent_a', 'agent_b'];

/**
 * The members of a record, in which the names of agents replace their roles, and times have the form of `timeText`. Not
 * for a part of the contract, whose texts are shown as they are.
 */
const legible = (record: Members, nameOf: RecordPlace['nameOf']): Members =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      ROLES.includes(name) ? nameOf(name) : name,
      legibleValue(value, nameOf),
    ]),
  );

function legibleValue(value: unknown, nameOf: RecordPlace['nameOf']): unknown {
  if (Array.isArray(value)) return value.map((item) => legibleValue(item, nameOf));
  if (isRecord(value)) return legible(value, nameOf);
  if (typeof value !== 'string') return value;
  if (ROLES.includes(value)) return nameOf(value);
  return timeText(value);
}

function memberLines(record: Members, id: string, page: Page): string[] {
  const isShown = ([name, value]: [string, unknown]): boolean =>
    value !== null && value !== id && !REPEATED.has(name) && !HEADS.some((head) => head === name);
  const members = Object.entries(forOwner(record)).filter(isShown);
  const isText = ([name, value]: [string, unknown]): boolean => TEXTS.has(name) && typeof value === 'string';
  const facts = Object.fromEntries(members.filter((member) => !isText(member)));
  return [
    ...outlineLines(ordered(facts), page),
    ...members.filter(isText).flatMap(([name, value]) => sectionLines(name.replaceAll('_', ' '), String(value), page)),
  ];
}

const changeLines = (change: Members, page: Page): string[] => [
  '',
  page.paint(['bold', 'cyan'], `${textIn(change, 'from')} → ${textIn(change, 'to')}`),
  ...quotedLines(textIn(change, 'words'), page).map((line) => wordsLine(line, page.paint)),
];

function placeLines(context: Members, place: RecordPlace, page: Page): string[] {
  const part = membersOf(context.contract);
  const revision = textIn(part, 'revision_id');
  if (!revision || context.type === 'decision') return [];
  const head = page.paint(['bold', 'cyan'], `${visibleLine(textIn(part, 'pointer'))} of ${revision}`);
  const lines = part.value === undefined ? [] : outlineLines(part.value, page);
  if (context.type !== 'finding' || lines.length <= PART_LINES) return ['', head, ...lines];
  return ['', head, ...lines.slice(0, PART_LINES), page.paint('dim', `…  in full: ${partCommand(part, place)}`)];
}

/** The command that shows a part of the contract, or the section of an earlier revision that contains the part. */
function partCommand(part: Members, place: RecordPlace): string {
  const [revision, id] = [textIn(part, 'revision_id'), textIn(part, 'part_id')];
  if (id !== '' && revision === place.latestRevision) return showCommand(place, visibleLine(id));
  const section = visibleLine(textIn(part, 'pointer').split('/')[1] ?? '');
  return `${place.program} revision ${place.shownId} --revision-id ${shellWord(revision)} --section ${shellWord(section)}`;
}
