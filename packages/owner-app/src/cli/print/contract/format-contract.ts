import type { Answer } from '@parley/core/client';
import type { Page } from '../../../text/page.ts';
import type { Json } from '../../../text/read-as.ts';
import { listBlock } from '../answer.ts';

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
export function requirementLines(view: Requirements | undefined, page: Page, mark = ''): string[] {
  const texts = (view?.requirements ?? []).flatMap(({ requirement_id, text, acceptance_criteria = [] }) => [
    `${requirement_id}  ${text}`,
    ...acceptance_criteria.map((criterion) => `accepted if: ${criterion}`),
  ]);
  return listBlock(`requirements${mark}`, texts, page);
}
