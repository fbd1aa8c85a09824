import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { LongText, text } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { isSameCommit } from './commits.ts';
import { CommitHex, VERDICTS } from './events.ts';
import { type Attempt, DefectView, type Evidence } from './record.ts';
import { isStanding } from './rules.ts';
import { carryDraft } from './scenarios/carry.ts';
import { evaluateEvidence } from './scenarios/evaluation.ts';
import { failingText, missingText } from './scenarios/evidence-texts.ts';
import { evidenceDrafts, GivenItems, refOf } from './scenarios/given-evidence.ts';
import { requireMeaningful } from './scenarios/readiness.ts';
import {
  attemptOf,
  passOf,
  SCENARIO_STATUSES,
  type Scenario,
  scenarioOf,
  standingDefects,
} from './scenarios/scenarios.ts';
import { viewDefect } from './schemas.ts';

/** Beside the verdicts on an attempt: CARRY, which carries a stale pass over to the declared commits. */
const VerdictOrCarry = z.enum([...VERDICTS, 'CARRY']).register(documented, { id: 'VerdictOrCarry' });

const VerdictInput = z
  .strictObject({
    scenario_id: text(60),
    attempt: z.int().min(1),
    verdict: VerdictOrCarry,
    note: LongText.optional(),
    deviations: z.array(text(1_000)).min(1).max(20).optional().describe('With PASS: what differs from the contract.'),
    evidence: GivenItems.optional(),
    commit: CommitHex.optional().describe('With CARRY: to which.'),
  })
  .superRefine(({ verdict, deviations, evidence, commit, note }, issues) => {
    const refuse = (member: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: [member], message });
    if (verdict === 'FAIL' && deviations)
      refuse('deviations', 'Must be left out of a FAIL; describe the difference in note.');
    if (verdict === 'CARRY') {
      if (deviations) refuse('deviations', 'Must be left out of a CARRY; the pass keeps its deviations.');
      if (evidence) refuse('evidence', 'Must be left out of a CARRY; the pass keeps its evidence.');
      if (!commit)
        refuse('commit', 'Is required with CARRY: the commit of the other agent to which the pass is carried.');
      if (!note) refuse('note', 'Is required with CARRY: why no declared change can affect the result.');
    } else if (commit) refuse('commit', 'Must be left out, except with CARRY.');
  });

/** Spec 3. Gives the verdict on an attempt. The builder that started the attempt cannot judge it. */
export const verifyVerify = defineOperation({
  name: 'verify_verify',
  summary: 'Judge an attempt of the other agent; FAIL opens a defect.',
  rest: 'POST verify/verifications',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: VerdictInput,
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    verdict: VerdictOrCarry,
    status: z.enum(SCENARIO_STATUSES),
    defects: z.array(DefectView).describe('All defects of the scenario.'),
    ...LEFT_OUT,
  }),
  errors: [
    'UNKNOWN_RECORD',
    'NOT_ASSIGNED',
    'DEFECT_OPEN',
    'HANDSHAKE_INCOMPLETE',
    'ATTEMPT_CLOSED',
    'SELF_VERIFICATION',
    'HANDSHAKE_NOT_READY',
    'FIXTURE_MISMATCH',
    'DEPENDENCY_NOT_PASSED',
    'EVIDENCE_POLICY_UNMET',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_CONFLICT',
  ],

  decide(state, { scenario_id, attempt, verdict, note, deviations, commit, evidence = [] }, { role }, { limits }) {
    const scenario = scenarioOf(state, scenario_id);
    if (verdict === 'CARRY')
      return [carriedBy(state, scenario, { attempt, by: role, reason: note ?? '', commit: commit ?? '' })];
    const open = attemptOf(scenario, attempt);
    if (open.started_by === role)
      fail('SELF_VERIFICATION', `You started ${scenario_id}/${attempt}; only the other agent can judge it.`);
    refuseCredentials({ evidence }, 'likely');
    const judge = otherBuilder(open.started_by);
    const has = open.evidence;
    const items = evidenceDrafts(
      { state, builder: judge, scenario_id, attempt, has, limits, member: 'evidence' },
      evidence,
    );
    if (verdict === 'PASS') requirePassable(state, scenario, [...has, ...items.map((item) => refOf(judge, item))]);
    const given: SessionDraft = { kind: 'verdict.given', data: { scenario_id, attempt, verdict, note, deviations } };
    const follows = verdict === 'PASS' ? closedDrafts(state, scenario, attempt) : failedDrafts(state, scenario, open);
    return [...items, given, ...follows.map((draft) => ({ ...draft, actor: 'system' as const }))];
  },

  reply(state, { scenario_id, attempt, verdict }) {
    const { status } = scenarioOf(state, scenario_id);
    const lists = boundedLists(LIST_COST);
    const defects = lists.list({
      records: valuesOf(state.verify.defects).filter((defect) => defect.scenario_id === scenario_id),
      view: viewDefect,
      isCurrent: isStanding,
      how: () => 'read_messages shows all defects of the scenario.',
    });
    return { scenario_id, attempt, verdict, status, defects: defects(), ...lists.leftOut() };
  },
});

interface CarryCall {
  readonly attempt: number;
  readonly by: Role;
  readonly reason: string;
  readonly commit: string;
}

/** The event of a CARRY. The call names the pass and the commit that the builder has compared. */
function carriedBy(state: SessionState, scenario: Scenario, { attempt, by, reason, commit }: CarryCall): SessionDraft {
  if (!isBuilder(by)) throw new Error('Only a builder has the scope of verify_verify.');
  const draft = carryDraft(state, { scenario_id: scenario.test.id, by, reason });
  // Refuses the number of an attempt other than the pass: no attempt of a stale scenario is open.
  if (passOf(scenario.record)?.attempt !== attempt) attemptOf(scenario, attempt);
  const other = otherBuilder(by);
  const declared = state.verify.handshakes[other]?.commit ?? '';
  if (!isSameCommit(declared, commit))
    fail('ATTEMPT_CLOSED', `${other} no longer declares ${commit}: it declares ${declared}.`, {
      hint: 'Call verify_next, and compare what the handshake of now declares.',
    });
  return draft;
}

function requirePassable(state: SessionState, scenario: Scenario, evidence: readonly Evidence[]): void {
  requireMeaningful(state, scenario);
  const { met, missing, failing } = evaluateEvidence(evidence, scenario.test.evidence_policy);
  if (met) return;
  fail('EVIDENCE_POLICY_UNMET', `The evidence for ${scenario.test.id} is not enough for a PASS.`, {
    missing: missing.map(missingText),
    failing: failing.map(failingText),
  });
}

const closedDrafts = (state: SessionState, { test }: Scenario, attempt: number): SessionDraft[] =>
  standingDefects(state)
    .filter(({ scenario_id }) => scenario_id === test.id)
    .map(({ defect_id }) => ({
      kind: 'defect.closed',
      data: { defect_id, scenario_id: test.id, attempt },
    }));

/**
 * The events after a FAIL. If the scenario has a defect that is open or fixed, that defect is opened again. Otherwise a
 * new defect is opened and assigned to the responsible builder.
 */
function failedDrafts(state: SessionState, { test }: Scenario, { attempt, commits }: Attempt): SessionDraft[] {
  const standing = standingDefects(state).find(({ scenario_id }) => scenario_id === test.id);
  const at = { scenario_id: test.id, attempt, commits };
  if (standing) return [{ kind: 'defect.reopened', data: { defect_id: standing.defect_id, ...at } }];
  const defect_id = `def_${state.verify.defects.size + 1}`;
  return [{ kind: 'defect.opened', data: { defect_id, ...at, assigned_to: test.responsible } }];
}
