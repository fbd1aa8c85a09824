import { outlineLines } from '../../../text/outline.ts';
import type { Page } from '../../../text/page.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { padText, shortenText, textWidth, wrapText } from '../../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn, textsIn } from '../../../transcript/message.ts';
import { CliError, EXIT } from '../../exit-codes.ts';
import { ordered } from './ordered-members.ts';

/** A section that `--section` accepts although the contract has no such member: the operations of all interfaces. */
const OPERATIONS = 'operations';

/** Sections of a contract that consist of records, and the members of a record that the summary shows. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  decisions: [],
  interfaces: ['id', 'provider', 'name'],
  data_models: ['id', 'name'],
  tasks: ['id', 'assignee', 'title'],
  tests: ['id', 'executor', 'title'],
  gates: ['id', 'stage', 'title'],
  risks: ['id', 'assignee', 'text'],
  safety_conditions: ['id', 'text'],
  dependencies: ['name', 'assignee', 'why'],
  artifacts: ['filename', 'audience', 'media_type'],
};

/** A section that `--section` accepts although only the session has this member. */
const REQUIREMENTS = 'requirements';

const sectionNames = (contract: Members): string[] => [...Object.keys(contract), OPERATIONS, REQUIREMENTS];

/**
 * Formats one section of a contract.
 *
 * @param section name of a top-level member of the contract, with `-` or `_`; or `operations` or `requirements`
 * @param view the view of the session, which contains the requirements
 * @throws CliError with the exit code USAGE if the contract has no such section
 */
export function sectionOf(contract: Members, section: string, { view, page }: Reading): string[] {
  const name = section.replaceAll('-', '_').toLowerCase();
  if (name === OPERATIONS) return operationLines(contract, page);
  if (name === REQUIREMENTS) return requirementLines(view, page).slice(1);
  if (!Object.hasOwn(contract, name))
    throw new CliError(
      EXIT.USAGE,
      `The contract has no section ${JSON.stringify(section)}. Its sections: ${sectionNames(contract).join(', ')}.`,
    );
  const records = name === 'tests' ? recordsIn(contract, name) : [];
  // Tests are not printed as a table, because its widest column would come last.
  if (records.length > 0) return records.flatMap((test) => [...outlineLines(ordered(test), page), '']).slice(0, -1);
  return outlineLines(ordered(contract[name]), page);
}

interface Reading {
  readonly view: Members;
  readonly page: Page;
}

/**
 * The facts about a revision that are printed above its Markdown. Leaves out what the Markdown or another fact shows:
 * the title, empty lists of issues, the number of issues if all issues are listed, the revision and hash in a review of
 * this revision, and a review's caveats that `open_caveats` contains.
 */
export function revisionFacts({ title: _title, ...facts }: Members): Members {
  const open = new Set(recordsIn(facts, 'open_caveats').map((caveat) => textIn(caveat, 'text')));
  const { validation_errors: errors, validation_warnings: warnings } = facts;
  const isListed = (issues: unknown, count: string): boolean =>
    Array.isArray(issues) && issues.length > 0 && issues.length === facts[count];
  const leftOut = new Set([
    ...(Array.isArray(errors) && errors.length === 0 ? ['validation_errors'] : []),
    ...(Array.isArray(warnings) && warnings.length === 0 ? ['validation_warnings'] : []),
    ...(isListed(errors, 'error_count') ? ['error_count'] : []),
    ...(isListed(warnings, 'warning_count') ? ['warning_count'] : []),
  ]);
  const { open_caveats, ...rest } = Object.fromEntries(Object.entries(facts).filter(([name]) => !leftOut.has(name)));
  const reviews = recordsIn(facts, 'reviews').map((review) => reviewFacts(review, facts, open));
  return { ...rest, ...('reviews' in facts && { reviews }), ...(open_caveats !== undefined && { open_caveats }) };
}

function reviewFacts(review: Members, { content_hash }: Members, open: ReadonlySet<string>): Members {
  const { revision_id, content_hash: hash, caveats: _caveats, ...rest } = review;
  const caveats = textsIn(review, 'caveats').filter((caveat) => !open.has(caveat));
  return {
    ...rest,
    ...(hash === content_hash ? {} : { revision_id, content_hash: hash }),
    ...(caveats.length === 0 ? {} : { caveats }),
  };
}

/**
 * The requirements of a session with their acceptance criteria. Empty if the view contains no requirements.
 *
 * @param mark the text that is added to the heading
 */
export function requirementLines(view: Members, { columns, paint }: Page, mark = ''): string[] {
  const requirements = recordsIn(view, 'requirements');
  if (requirements.length === 0) return [];
  const lines = (text: string): string[] => wrapText(visibleLine(text), columns - 2).map((line) => `  ${line}`);
  return [
    '',
    paint(['bold', 'cyan'], `requirements${mark}`),
    ...requirements.flatMap((requirement) => requirementTexts(requirement).flatMap(lines)),
  ];
}

const requirementTexts = (requirement: Members): string[] => [
  `${textIn(requirement, 'requirement_id')}  ${textIn(requirement, 'text')}`,
  ...textsIn(requirement, 'acceptance_criteria').map((criterion) => `accepted if: ${criterion}`),
];

function operationLines(contract: Members, page: Page): string[] {
  const lines = recordsIn(contract, 'interfaces').flatMap((one) => [
    '',
    page.paint(['bold', 'cyan'], visibleLine(`${textIn(one, 'id')}  ${textIn(one, 'name')}`)),
    ...recordsIn(one, 'operations').flatMap(({ name, ...operation }) => [
      '',
      ...wrapText(visibleLine(String(name)), page.columns).map((line) => page.paint('bold', line)),
      ...outlineLines(operation, page),
    ]),
  ]);
  return lines.length === 0 ? ['The contract has no interfaces.'] : lines.slice(1);
}

/**
 * Formats the summary of a contract: its scope, the requirements of the session, and one line for each record.
 *
 * @param answer the answer of the operation `plan` or `revision`
 * @param command the command that prints the contract; hints add `--section NAME` to this command
 */
export function contractSummary(answer: Members, command: string, { view, page }: Reading): string[] {
  const contract = membersOf(answer.contract);
  const { paint } = page;
  const wrapped = (text: string): string[] => wrapText(visible(text), page.columns);
  const head = [textIn(answer, 'revision_id'), textIn(answer, 'status'), textIn(contract, 'title')].filter(Boolean);
  const scope = membersOf(contract.scope);
  return [
    ...wrapped(visibleLine(head.join('  '))).map((line) => paint('bold', line)),
    `content_hash  ${textIn(answer, 'content_hash')}`,
    '',
    ...wrapped(textIn(contract, 'summary')),
    '',
    ...wrapped(`in scope: ${textsIn(scope, 'in').join('; ') || '-'}`),
    ...wrapped(`out of scope: ${textsIn(scope, 'out').join('; ') || '-'}`),
    ...requirementLines(view, page),
    ...Object.entries(RECORDS).flatMap(([section, members]) => recordLines(contract, section, members, page)),
    '',
    ...wrapped(
      `To print one section in full: ${command} --section ${OPERATIONS}, or another section: ${[...Object.keys(contract), REQUIREMENTS].join(', ')}.`,
    ).map((line) => paint('dim', line)),
  ];
}

function recordLines(contract: Members, section: string, members: readonly string[], page: Page): string[] {
  const title = (count: number): string => page.paint(['bold', 'cyan'], `${section.replaceAll('_', ' ')} (${count})`);
  if (members.length === 0) {
    const ids = textsIn(contract, section);
    return ['', title(ids.length), ...(ids.length === 0 ? [] : wrapText(visibleLine(ids.join(', ')), page.columns))];
  }
  const shown = recordsIn(contract, section).map((record) => members.map((name) => visibleLine(textIn(record, name))));
  const widths = members.map((_, index) => Math.max(0, ...shown.map((cells) => textWidth(cells[index] ?? ''))));
  return [
    '',
    title(shown.length),
    ...shown.map((cells) => {
      const padded = cells.map((cell, index) => (index < cells.length - 1 ? padText(cell, widths[index] ?? 0) : cell));
      return shortenText(`  ${padded.join('  ')}`, page.columns);
    }),
  ];
}
