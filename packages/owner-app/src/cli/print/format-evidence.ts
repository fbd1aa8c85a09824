import type { Page } from '../../text/page.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import type { NameOf } from './agent-names.ts';

/**
 * The attempts of a scenario, with the evidence of both agents and the verdict. Empty if the board was read without
 * `scenario_id`, because the evidence on such a board has no claims.
 */
export function evidenceLines(scenario: Members, nameOf: NameOf, page: Page): string[] {
  const attempts = recordsIn(scenario, 'attempts').filter((attempt) =>
    recordsIn(attempt, 'evidence').some((item) => 'claim' in item),
  );
  const carried = membersOf(scenario.carried);
  const over = textIn(carried, 'by') === '' ? [] : indentedLines(`carried over: ${carriedText(carried, nameOf)}`, page);
  return attempts.flatMap((attempt) => [
    '',
    page.paint(
      ['bold', 'cyan'],
      visibleLine(`evidence of ${textIn(scenario, 'scenario_id')}/${attempt.attempt}, ${textIn(attempt, 'status')}`),
    ),
    ...recordsIn(attempt, 'evidence').flatMap((item) => itemLines(item, nameOf, page)),
    ...verdictLines(membersOf(attempt.verdict), nameOf, page),
    ...(attempt.status === 'PASSED' ? over : []),
  ]);
}

function itemLines(item: Members, nameOf: NameOf, page: Page): string[] {
  const head = `${nameOf(textIn(item, 'by'))}, ${textIn(item, 'kind')}, commit ${textIn(item, 'commit').slice(0, 12)}`;
  return [
    page.paint('bold', visibleLine(head)),
    ...indentedLines(textIn(item, 'claim'), page),
    ...indentedLines(textIn(item, 'summary'), page),
    ...recordsIn(item, 'assertions').flatMap((assertion) => indentedLines(assertionText(assertion), page)),
  ];
}

/** The result of a check: its name, and the value that was found, beside the expected value if the check failed. */
export function assertionText({ name, expected, actual, passed }: Members): string {
  if (actual === undefined) return `${passed === true ? '✔' : '✘'} ${name}`;
  if (passed === true) return `✔ ${name}: ${valueText(actual)}`;
  if (expected === undefined) return `✘ ${name}: ${valueText(actual)}`;
  return `✘ ${name}: ${valueText(actual)} instead of ${valueText(expected)}`;
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function verdictLines(verdict: Members, nameOf: NameOf, page: Page): string[] {
  if (textIn(verdict, 'verdict') === '') return [];
  return [
    page.paint('bold', visibleLine(`${nameOf(textIn(verdict, 'by'))} judges: ${textIn(verdict, 'verdict')}`)),
    ...indentedLines(textIn(verdict, 'note'), page),
    ...textsIn(verdict, 'deviations').flatMap((said) => indentedLines(`accepted deviation: ${said}`, page)),
  ];
}

/** The lines of a text, indented by two columns. Empty for an empty text. */
export const indentedLines = (text: string, { columns }: Page): string[] =>
  text === '' ? [] : wrapText(visible(text), columns - 2).map((line) => `  ${line}`);

/** How a pass was carried over: what differs, who declared it, and the reason. */
export function carriedText(carried: Members, nameOf: NameOf): string {
  const commits = membersOf(carried.commits);
  const changes = recordsIn(carried, 'changes').map((change) => {
    const by = textIn(change, 'declared_by');
    const paths = numberIn(change, 'paths');
    return `${textIn(change, 'since').slice(0, 12)} → ${textIn(commits, by).slice(0, 12)} (${paths} changed ${paths === 1 ? 'path' : 'paths'}, declared by ${nameOf(by)})`;
  });
  return `${changes.join(', ') || 'the same commits again'}: ${textIn(carried, 'reason')}`;
}

/** The step that the owner refused because of a defect, and why. Empty if a FAIL opened the defect. */
export function refusalText(defect: Members): string {
  const refusal = membersOf(defect.refusal);
  const stage = textIn(refusal, 'stage');
  return stage && `the ${stage} was refused: ${textIn(refusal, 'reason')}`;
}

/** A defect, with the refused step, the waiver and the fix. `reassigned` lists the ids of defects that changed hands. */
export function defectText(defect: Members, reassigned: readonly string[], nameOf: NameOf): string {
  const id = textIn(defect, 'defect_id');
  const waived = textIn(defect, 'waiver_reason');
  const note = textIn(membersOf(defect.fix), 'note');
  const end = [refusalText(defect), waived && `waived: ${waived}`, note && `fix: ${note}`].filter(Boolean).join('; ');
  const whose = `${nameOf(textIn(defect, 'assigned_to'))}${reassigned.includes(id) ? ', reassigned' : ''}`;
  return `${id} ${textIn(defect, 'status')} of ${textIn(defect, 'scenario_id')} (${whose})${end && `  ${end}`}`;
}

/** The passes of a brief that were carried over, one text for each. */
export const carriedTexts = (brief: Members, nameOf: NameOf): string[] =>
  recordsIn(brief, 'carried').map((pass) => {
    const carried = membersOf(pass.carried);
    const of = `${textIn(pass, 'scenario_id')}/${numberIn(pass, 'attempt')}`;
    return `${of}, by ${nameOf(textIn(carried, 'by'))}: ${carriedText(carried, nameOf)}`;
  });
