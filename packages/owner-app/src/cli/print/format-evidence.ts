import type { Page } from '../../text/page.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import type { NameOf } from './agent-names.ts';

/**
 * The attempts of a scenario, with the evidence of both agents and the verdict. Empty if the board was read without
 * `scenario_id`, because the evidence on such a board has no claims.
 */
export function evidenceLines(scenario: Members, nameOf: NameOf, page: Page): string[] {
  const attempts = recordsIn(scenario, 'attempts').filter((attempt) =>
    recordsIn(attempt, 'evidence').some((item) => 'claim' in item),
  );
  return attempts.flatMap((attempt) => [
    '',
    page.paint(
      ['bold', 'cyan'],
      visibleLine(`evidence of ${textIn(scenario, 'scenario_id')}/${attempt.attempt}, ${textIn(attempt, 'status')}`),
    ),
    ...recordsIn(attempt, 'evidence').flatMap((item) => itemLines(item, nameOf, page)),
    ...verdictLines(membersOf(attempt.verdict), nameOf, page),
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
