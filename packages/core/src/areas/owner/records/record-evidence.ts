import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { BuilderRole, MessageCursor } from '../../fields.ts';
import { pickOf } from '../../pick.ts';
import type { SessionState } from '../../state.ts';
import { testsOfRequirement } from '../../verify/scenarios/requirement-tests.ts';
import { passOf, SCENARIO_STATUSES, type Scenario, scenariosOf } from '../../verify/scenarios/scenarios.ts';

const Item = z.strictObject({ message_id: MessageCursor, by: BuilderRole, kind: z.string(), failed: z.boolean() });
const viewItem = pickOf(Item);

/** A scenario that belongs to a record, and the evidence of one attempt at this scenario. */
export const EvidenceOfRecord = z.strictObject({
  scenario_id: z.string(),
  title: z.string(),
  status: z.enum(SCENARIO_STATUSES).nullable().describe('Null before the approval of a contract.'),
  attempt: z
    .int()
    .nullable()
    .describe(
      'The attempt: for a defect, the attempt that failed; otherwise the valid pass or, without a pass, the latest attempt.',
    ),
  evidence: z.array(Item),
});
documented.add(EvidenceOfRecord, { id: 'EvidenceOfRecord' });
type View = z.output<typeof EvidenceOfRecord>;

/** The scenario in which a defect was found, and the evidence of the attempt that failed. */
export function evidenceOfDefect(state: SessionState, defectId: string): View[] {
  const defect = lookUp(state.verify.defects, defectId);
  const scenario = scenariosOf(state).find(({ test }) => test.id === defect?.scenario_id);
  return defect && scenario ? [viewScenario(scenario.test, scenario, defect.attempt)] : [];
}

/**
 * The scenario of a test of the contract, and the evidence of its valid pass. Without a valid pass, the evidence of the
 * latest attempt.
 */
export const evidenceOfTest = (state: SessionState, testId: string): View[] =>
  (state.contract.outline?.tests ?? []).filter(({ id }) => id === testId).map((test) => viewTest(state, test));

/**
 * The scenarios of the tests that prove a requirement. Each has the evidence of its valid pass or, without a valid
 * pass, of its latest attempt.
 */
export const evidenceOfRequirement = (state: SessionState, requirementId: string): View[] =>
  testsOfRequirement(state, requirementId).map((test) => viewTest(state, test));

type Test = Pick<Scenario['test'], 'id' | 'title'>;

function viewTest(state: SessionState, test: Test): View {
  const scenario = scenariosOf(state).find((candidate) => candidate.test.id === test.id);
  const attempt = scenario && (passOf(scenario.record) ?? scenario.record.attempts.at(-1));
  return viewScenario(test, scenario, attempt?.attempt);
}

function viewScenario({ id, title }: Test, scenario: Scenario | undefined, number: number | undefined): View {
  const attempt = scenario?.record.attempts.find((candidate) => candidate.attempt === number);
  return {
    scenario_id: id,
    title,
    status: scenario?.status ?? null,
    attempt: attempt?.attempt ?? null,
    evidence: (attempt?.evidence ?? []).map(viewItem),
  };
}
