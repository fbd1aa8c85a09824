import type { Answer } from '@parley/core/client';
import { outlineLines } from '../../../text/outline.ts';
import type { Page } from '../../../text/page.ts';
import { type Json, readAs } from '../../../text/read-as.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { padText, shortenText, textWidth, wrapText } from '../../../text/width.ts';
import { CliError, EXIT } from '../../exit-codes.ts';

const STEPS = ['given', 'when', 'then'];

/** The names of members that are printed before the others. A stored contract has its members in alphabetical order. */
const FIRST = [
  'id',
  'filename',
  'name',
  'title',
  'text',
  'kind',
  'stage',
  'assignee',
  'executor',
  'provider',
  ...STEPS,
];

/** A part of a contract with the members of each record in the order in which a person reads them. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const place = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => place(one) - place(other))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

/** The steps of a test of the contract, in their order. */
export const stepsOf = (test: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(STEPS.map((step) => [step, test[step]]));

/** A revision as the operations `plan` and `revision` show it. */
export type Revision = Answer<'plan'> | Answer<'revision'>;
/** The view of a session, as far as it has the requirements. */
export type Requirements = Pick<Answer<'view'>, 'requirements'>;
type Contract = Extract<NonNullable<Revision['contract']>, { readonly title: string }>;

/** A section that `--section` accepts although the contract has no such member: the operations of all interfaces. */
const OPERATIONS = 'operations';

/** Sections of a contract that consist of records, and the members of a record that the summary shows. */
const RECORDS = {
  interfaces: ['id', 'provider', 'name'],
  data_models: ['id', 'name'],
  tasks: ['id', 'assignee', 'title'],
  tests: ['id', 'executor', 'title'],
  gates: ['id', 'stage', 'title'],
  risks: ['id', 'assignee', 'text'],
  safety_conditions: ['id', 'text'],
  dependencies: ['name', 'assignee', 'why'],
  artifacts: ['filename', 'audience', 'media_type'],
} satisfies { [S in keyof Contract]?: Contract[S] extends readonly (infer One)[] ? readonly (keyof One)[] : never };

/** A section that `--section` accepts although only the session has this member. */
const REQUIREMENTS = 'requirements';

const sectionNames = (contract: Json): string[] => [...Object.keys(contract), OPERATIONS, REQUIREMENTS];

/**
 * Formats one section of a contract.
 *
 * @param section name of a top-level member of the contract, with `-` or `_`; or `operations` or `requirements`
 * @param view the view of the session, which contains the requirements
 * @throws CliError with the exit code USAGE if the contract has no such section
 */
export function sectionOf(contract: Json, section: string, { view, page }: Reading): string[] {
  const name = section.replaceAll('-', '_').toLowerCase();
  if (name === OPERATIONS) return operationLines(contract, page);
  if (name === REQUIREMENTS) return requirementLines(view, page).slice(1);
  if (!Object.hasOwn(contract, name))
    throw new CliError(
      EXIT.USAGE,
      `The contract has no section ${JSON.stringify(section)}. Its sections: ${sectionNames(contract).join(', ')}.`,
    );
  const records = name === 'tests' ? readAs(contract, { tests: 'records' }).tests : [];
  // Tests are not printed as a table, because its widest column would come last.
  if (records.length > 0) return records.flatMap((test) => [...outlineLines(ordered(test), page), '']).slice(0, -1);
  return outlineLines(ordered(contract[name]), page);
}

interface Reading {
  readonly view: Requirements | undefined;
  readonly page: Page;
}

/**
 * The facts about a revision that are printed above its Markdown. Leaves out what the Markdown or another fact shows:
 * the title, empty lists of issues, the number of issues if all issues are listed, the revision and hash in a review of
 * this revision, and a review's caveats that `open_caveats` contains.
 */
export function revisionFacts({ title: _title, contract: _contract, markdown: _text, ...facts }: Revision): Json {
  if (!('reviews' in facts)) return facts;
  const { validation_errors: errors, validation_warnings: warnings, error_count, warning_count } = facts;
  const caveats = 'open_caveats' in facts ? facts.open_caveats : undefined;
  const open = new Set(caveats?.map(({ text }) => text));
  const leftOut = new Set([
    'open_caveats',
    ...(errors.length === 0 ? ['validation_errors'] : errors.length === error_count ? ['error_count'] : []),
    ...(warnings.length === 0 ? ['validation_warnings'] : warnings.length === warning_count ? ['warning_count'] : []),
  ]);
  const rest = Object.fromEntries(Object.entries(facts).filter(([name]) => !leftOut.has(name)));
  const reviews = facts.reviews.map((review) => reviewFacts(review, facts.content_hash, open));
  return { ...rest, reviews, ...(caveats && { open_caveats: caveats }) };
}

function reviewFacts(
  { revision_id, content_hash, caveats: all, ...rest }: Answer<'plan'>['reviews'][number],
  shownHash: string | null,
  open: ReadonlySet<string | null>,
): Json {
  const caveats = all.filter((caveat) => !open.has(caveat));
  return {
    ...rest,
    ...(content_hash === shownHash ? {} : { revision_id, content_hash }),
    ...(caveats.length === 0 ? {} : { caveats }),
  };
}

/**
 * The requirements of a session with their acceptance criteria. Empty if the view contains no requirements.
 *
 * @param mark the text that is added to the heading
 */
export function requirementLines(view: Requirements | undefined, { columns, paint }: Page, mark = ''): string[] {
  if (!view || view.requirements.length === 0) return [];
  const texts = view.requirements.flatMap(({ requirement_id, text, acceptance_criteria = [] }) => [
    `${requirement_id}  ${text}`,
    ...acceptance_criteria.map((criterion) => `accepted if: ${criterion}`),
  ]);
  return [
    '',
    paint(['bold', 'cyan'], `requirements${mark}`),
    ...texts.flatMap((text) => wrapText(visibleLine(text), columns - 2).map((line) => `  ${line}`)),
  ];
}

function operationLines(contract: Json, page: Page): string[] {
  const { interfaces } = readAs(contract, { interfaces: 'records' });
  const lines = interfaces.flatMap((value) => {
    const { id, name, operations } = readAs(value, { id: 'text', name: 'text', operations: 'records' });
    return [
      '',
      page.paint(['bold', 'cyan'], visibleLine(`${id}  ${name}`)),
      ...operations.flatMap(({ name: own, ...operation }) => [
        '',
        ...wrapText(visibleLine(String(own)), page.columns).map((line) => page.paint('bold', line)),
        ...outlineLines(operation, page),
      ]),
    ];
  });
  return lines.length === 0 ? ['The contract has no interfaces.'] : lines.slice(1);
}

const SUMMARY = { title: 'text', summary: 'text', scope: 'record', decisions: 'texts' } as const;

/**
 * Formats the summary of a contract: its scope, the requirements of the session, and one line for each record.
 *
 * @param command the command that prints the contract; hints add `--section NAME` to this command
 */
export function contractSummary(
  revision: Revision & { readonly contract: Json },
  command: string,
  { view, page }: Reading,
): string[] {
  const { revision_id, content_hash, contract } = revision;
  const { title, summary, scope, decisions } = readAs(contract, SUMMARY);
  const { in: within, out } = readAs(scope, { in: 'texts', out: 'texts' });
  const { paint } = page;
  const wrapped = (text: string): string[] => wrapText(visible(text), page.columns);
  const head = [revision_id, 'status' in revision ? revision.status : '', title].filter(Boolean);
  return [
    ...wrapped(visibleLine(head.join('  '))).map((line) => paint('bold', line)),
    `content_hash  ${content_hash ?? ''}`,
    '',
    ...wrapped(summary),
    '',
    ...wrapped(`in scope: ${within.join('; ') || '-'}`),
    ...wrapped(`out of scope: ${out.join('; ') || '-'}`),
    ...requirementLines(view, page),
    ...listLines('decisions', decisions, page),
    ...Object.entries(RECORDS).flatMap(([section, members]) => {
      const { [section]: records = [] } = readAs(contract, { [section]: 'records' });
      const rows = records.map((record) =>
        members.map((name) => visibleLine(readAs(record, { [name]: 'text' })[name] ?? '')),
      );
      return rowLines(section, rows, page);
    }),
    '',
    ...wrapped(
      `To print one section in full: ${command} --section ${OPERATIONS}, or another section: ${[...Object.keys(contract), REQUIREMENTS].join(', ')}.`,
    ).map((line) => paint('dim', line)),
  ];
}

const titleLines = (section: string, count: number, { paint }: Page): string[] => [
  '',
  paint(['bold', 'cyan'], `${section.replaceAll('_', ' ')} (${count})`),
];

const listLines = (section: string, ids: readonly string[], page: Page): string[] => [
  ...titleLines(section, ids.length, page),
  ...(ids.length === 0 ? [] : wrapText(visibleLine(ids.join(', ')), page.columns)),
];

function rowLines(section: string, rows: readonly (readonly string[])[], page: Page): string[] {
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((cells) => textWidth(cells[index] ?? '')))) ?? [];
  return [
    ...titleLines(section, rows.length, page),
    ...rows.map((cells) => {
      const padded = cells.map((cell, index) => (index < cells.length - 1 ? padText(cell, widths[index] ?? 0) : cell));
      return shortenText(`  ${padded.join('  ')}`, page.columns);
    }),
  ];
}
