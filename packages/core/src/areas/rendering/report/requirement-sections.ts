import { code, inline, lines } from '../markdown.ts';
import type { ReportedRequirement, ReportedTest, ReportFacts } from './facts.ts';
import { list, short } from './report-text.ts';

/** A part for each requirement, with its tests and their evidence. */
export function requirementSections({ requirements, contract }: ReportFacts, limit: number): string[] {
  const more = requirements.length - limit;
  const shown = new Set<string>();
  const hasContract = contract !== null;
  return [
    hasContract ? '' : 'No contract has been written, so no test can prove a requirement.',
    ...requirements
      .slice(0, limit)
      .flatMap((requirement) => requirementSection(requirement, { limit, shown, hasContract })),
    ...(more > 0 ? [`And ${more} more requirements.`] : []),
  ];
}

interface Context {
  readonly limit: number;
  /** Ids of the tests whose evidence the report has shown below an earlier requirement. */
  readonly shown: Set<string>;
  readonly hasContract: boolean;
}

function requirementSection(requirement: ReportedRequirement, context: Context): string[] {
  const { id, text, criteria, isProven, tests } = requirement;
  const accepted = criteria.map((criterion) => inline(short(criterion)));
  return [
    `### ${code(id)}: ${isProven ? 'proven' : 'not proven'}`,
    lines(short(text)),
    ...(accepted.length === 0 ? [] : ['Accepted if:', list(accepted, context.limit)]),
    ...testsPart(tests, context),
  ];
}

function testsPart(tests: readonly ReportedTest[], context: Context): string[] {
  if (tests.length === 0) return context.hasContract ? ['No test of the contract proves this requirement.'] : [];
  const items = tests.map((test) => testItem(test, context));
  return ['Tests:', list(items, context.limit)];
}

/** A test with its evidence. The evidence is left out if the report has shown it below an earlier requirement. */
function testItem({ id, title, status, evidence, judge }: ReportedTest, { limit, shown }: Context): string {
  const isRepeated = evidence.length > 0 && shown.has(id);
  shown.add(id);
  const judged = judge && `, judged by ${inline(short(judge))}`;
  const head = `${code(id)} ${inline(short(title))}: ${status}${judged}${isRepeated ? ', with the evidence above' : ''}`;
  const items = evidence.map(
    ({ by, kind, claim }) => `${inline(short(by))}, ${code(kind)}${claim && `: ${inline(short(claim))}`}`,
  );
  return isRepeated || items.length === 0 ? head : `${head}\n${list(items, limit, '  ')}`;
}
