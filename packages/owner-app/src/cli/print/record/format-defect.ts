import { plural } from '../../../text/counted.ts';
import { outlineLines } from '../../../text/outline.ts';
import { indented, type Page } from '../../../text/page.ts';
import { COST_OF_FIX, defectChoices, otherAgent } from '../../../text/records/defect-choices.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { timeText } from '../../../text/time.ts';
import { visibleLine } from '../../../text/visible.ts';
import { wrapText } from '../../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../../transcript/message.ts';
import { settlingLine } from '../../flags/command-line.ts';
import { stepsOf } from '../contract/ordered-members.ts';
import { assertionText, indentedLines } from '../format-evidence.ts';
import { type RecordPlace, showCommand } from './record-place.ts';
import { headLines, sectionLines } from './section-lines.ts';

/**
 * What the owner needs to judge a defect: the test of the contract, who has to fix it, earlier reassignments, the
 * evidence of both agents, the verdict, what the assignee says against the defect, questions about the defect with their
 * answers, and the commands that settle the defect.
 */
export function defectLines(record: Members, context: Members, place: RecordPlace, page: Page): string[] {
  return [
    ...testLines(membersOf(membersOf(context.contract).value), context, place, page),
    ...attemptLines(membersOf(context.attempt), context, place, page),
    ...recordsIn(context, 'disputes').flatMap((finding) => disputeLines(finding, place, page)),
    ...recordsIn(context, 'interventions').flatMap((one) => interventionLines(one, place, page)),
    ...commandLines(record, place, page),
  ];
}

function testLines(test: Members, context: Members, place: RecordPlace, page: Page): string[] {
  const id = textIn(test, 'id');
  const given = reassignedTexts(context, place);
  if (id === '') return given.flatMap((text) => wrapText(visibleLine(text), page.columns));
  const { nameOf } = place;
  const responsible = textIn(test, 'responsible');
  const duty = [...(responsible ? [`by the contract, failures are fixed by ${nameOf(responsible)}`] : []), ...given];
  const texts = [
    `run by ${nameOf(textIn(test, 'executor'))}; proves ${textsIn(test, 'requirements').join(', ')}`,
    ...(duty.length === 0 ? [] : [duty.join('; ')]),
  ];
  return [
    ...headLines(`what the contract expects of ${id}`, page),
    ...texts.flatMap((text) => wrapText(visibleLine(text), page.columns)),
    ...outlineLines(stepsOf(test), indented(page, 2)).map((line) => `  ${line}`),
  ];
}

function attemptLines(attempt: Members, context: Members, place: RecordPlace, page: Page): string[] {
  const [scenario = {}] = recordsIn(context, 'scenarios');
  if (typeof attempt.attempt !== 'number') return [];
  const scenarioId = textIn(scenario, 'scenario_id');
  return [
    ...headLines(`${scenarioId}/${attempt.attempt}: ${textIn(scenario, 'title')}`, page),
    ...recordsIn(attempt, 'evidence').flatMap((item) => evidenceLines(item, place, page)),
    ...verdictLines(membersOf(attempt.verdict), scenarioId, place, page),
  ];
}

function evidenceLines(item: Members, place: RecordPlace, page: Page): string[] {
  const head = `${place.nameOf(textIn(item, 'by'))}, ${textIn(item, 'kind')}: ${checksText(item)}`;
  const texts = [textIn(item, 'claim'), textIn(item, 'summary'), ...recordsIn(item, 'assertions').map(assertionText)];
  const { shown, more } = cutText(texts.filter((text) => text !== '').join('\n'));
  return [
    page.paint('bold', visibleLine(head)),
    ...indentedLines(shown, page),
    page.paint('dim', `  ${more}${showCommand(place, numberIn(item, 'message_id'))}`),
  ];
}

function checksText(item: Members): string {
  const checks = recordsIn(item, 'assertions');
  const held = checks.filter(({ passed }) => passed === true).length;
  return `${plural(held, 'check')} held, ${checks.length - held} failed`;
}

function verdictLines(verdict: Members, scenarioId: string, place: RecordPlace, page: Page): string[] {
  if (textIn(verdict, 'verdict') === '') return [];
  const head = `${place.nameOf(textIn(verdict, 'by'))} judges: ${textIn(verdict, 'verdict')}`;
  const { shown, more } = cutText(textIn(verdict, 'note'));
  const command = `${place.program} board ${place.shownId} --scenario-id ${shellWord(scenarioId)}`;
  return [
    page.paint('bold', visibleLine(head)),
    ...indentedLines(shown, page),
    ...(more === '' ? [] : [page.paint('dim', `  ${more}${command}`)]),
  ];
}

/** Number of characters of an item of evidence or of a verdict that are shown. */
const SHOWN_CHARS = 2_000;

/** The beginning of a text, and the words before the command that shows the whole text. Empty if nothing is cut. */
function cutText(text: string): { readonly shown: string; readonly more: string } {
  const characters = [...text];
  const left = characters.length - SHOWN_CHARS;
  if (left <= 0) return { shown: text, more: '' };
  const count = `${left.toLocaleString('en')} ${left === 1 ? 'character' : 'characters'}`;
  return { shown: `${characters.slice(0, SHOWN_CHARS).join('')}…`, more: `the whole text, ${count} more: ` };
}

/** Each reassignment of a defect by the owner: to whom, when, and why. */
const reassignedTexts = (context: Members, { nameOf }: RecordPlace): string[] =>
  recordsIn(context, 'reassigned').map((step) => {
    const reason = textIn(step, 'reason');
    const to = `reassigned to ${nameOf(textIn(step, 'to'))}, #${numberIn(step, 'message_id')}, ${timeText(step.at)}`;
    return reason === '' ? to : `${to}, reason: ${reason}`;
  });

function disputeLines(finding: Members, { nameOf }: RecordPlace, page: Page): string[] {
  const answers = ['other_response', 'response'].map((member) => membersOf(finding[member]));
  return [
    ...headLines(`disputed by ${nameOf(textIn(finding, 'raised_by'))} in ${textIn(finding, 'finding_id')}`, page),
    ...indentedLines(textIn(finding, 'text'), page),
    ...answers.flatMap((answer) => answerLines(answer, nameOf, page)),
  ];
}

function answerLines(answer: Members, nameOf: RecordPlace['nameOf'], page: Page): string[] {
  const decision = textIn(answer, 'decision');
  if (decision === '') return [];
  const head = `${nameOf(textIn(answer, 'by'))} answers: ${decision}`;
  return [page.paint('bold', visibleLine(head)), ...indentedLines(textIn(answer, 'response'), page)];
}

function interventionLines(one: Members, { nameOf }: RecordPlace, page: Page): string[] {
  const head = `${textIn(one, 'intervention_id')}, ${textIn(one, 'type')} by ${nameOf(textIn(one, 'from'))}, ${textIn(one, 'status')}`;
  return [
    ...sectionLines(head, textIn(one, 'text'), page),
    ...recordsIn(one, 'responses').flatMap((response) => responseLines(response, nameOf, page)),
  ];
}

function responseLines(response: Members, nameOf: RecordPlace['nameOf'], page: Page): string[] {
  const text = textIn(response, 'text');
  const name = nameOf(textIn(response, 'role'));
  if (text === '') return [visibleLine(`${name}: ${textIn(response, 'status')}`)];
  return [page.paint('bold', visibleLine(`${name} answers:`)), ...indentedLines(text, page)];
}

/** What the owner can decide and what follows, with the commands. Empty if the defect is settled or the session has ended. */
function commandLines(
  record: Members,
  { program, shownId: sessionId, nameOf, isOver, seen }: RecordPlace,
  page: Page,
): string[] {
  const [status, assignedTo] = [textIn(record, 'status'), textIn(record, 'assigned_to')];
  if (isOver || !['OPEN', 'FIXED'].includes(status)) return [];
  const defect_id = textIn(record, 'defect_id');
  const role = otherAgent(assignedTo);
  const choices = defectChoices({ status, assignedTo }, nameOf);
  return [
    ...headLines(`leave it with ${nameOf(assignedTo)} (nothing to do)`, page),
    ...indentedLines(choices.leave, page),
    ...headLines(`or give it to ${nameOf(role)}`, page),
    ...indentedLines(choices.give, page),
    settlingLine(program, { operation: 'reassignDefect', sessionId, payload: { defect_id, role }, seen }),
    ...headLines('or waive it', page),
    ...indentedLines(choices.waive, page),
    settlingLine(program, { operation: 'waiveDefect', sessionId, payload: { defect_id }, seen }),
    '',
    ...wrapText(COST_OF_FIX, page.columns),
  ];
}
