import { z } from 'zod';
import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import type { ReadDocument } from '../../../kernel/operation/operation.ts';
import { FindingView } from '../../findings/record.ts';
import { viewFinding } from '../../findings/schemas.ts';
import type { Intervention } from '../../interventions/record.ts';
import { InterventionView } from '../../interventions/record.ts';
import { viewIntervention } from '../../interventions/schemas.ts';
import type { SessionState } from '../../state.ts';
import { viewAsked } from '../../verify/board/board-scenario.ts';
import { defectDisputes } from '../../verify/disputes.ts';
import { type Attempt, AttemptView, Reassignment } from '../../verify/record.ts';
import { type Scenario, scenariosOf } from '../../verify/scenarios/scenarios.ts';
import { contractItem } from './contract-items.ts';
import { namesRecord } from './names-record.ts';
import { evidenceOfDefect } from './record-evidence.ts';

/** What the owner needs to decide who must fix a defect. */
export const ContextOfDefect = z.strictObject({
  attempt: AttemptView.optional().describe(
    'For a defect of the current manifest: the attempt that failed, with its evidence in full and its verdict.',
  ),
  reassigned: z.array(Reassignment).optional().describe('For a defect: how the owner reassigned it, oldest first.'),
  disputes: z
    .array(FindingView)
    .optional()
    .describe('For an open defect: the open findings in which its assignee says that the other agent must fix it.'),
  interventions: z
    .array(InterventionView)
    .optional()
    .describe('For a defect: the interventions that name it in their text or in an answer and are not withdrawn.'),
});

interface Failed {
  readonly scenario: Scenario;
  readonly attempt: Attempt;
}

/** The attempt in which a defect was seen last. Undefined if another contract was approved since then. */
function failedAttempt(state: SessionState, defectId: string): Failed | undefined {
  const defect = lookUp(state.verify.defects, defectId);
  const scenario = scenariosOf(state).find(({ test }) => test.id === defect?.scenario_id);
  const attempt = scenario?.record.attempts.find(({ attempt }) => attempt === defect?.attempt);
  return scenario && attempt && { scenario, attempt };
}

/** Numbers of the stored events with the evidence of the attempt that failed. */
export const defectSeqs = (state: SessionState, defectId: string): number[] =>
  (failedAttempt(state, defectId)?.attempt.evidence ?? []).map(({ message_id }) => message_id);

/** The hash of the approved contract, whose test found the defect. */
export const defectDocuments = (state: SessionState, defectId: string): string[] => {
  const { latest } = state.contract;
  return latest && failedAttempt(state, defectId) ? [latest.content_hash] : [];
};

interface Sources {
  readonly loaded: readonly LoggedEvent[];
  readonly document: ReadDocument;
}

export function viewDefectContext(state: SessionState, defectId: string, sources: Sources) {
  const failed = failedAttempt(state, defectId);
  const reassigned = lookUp(state.verify.defects, defectId)?.reassigned;
  const naming = valuesOf(state.interventions.all).filter((one) => isAbout(one, defectId));
  const disputes = defectDisputes(state).filter(({ defect }) => defect.defect_id === defectId);
  return {
    scenarios: evidenceOfDefect(state, defectId),
    ...(failed && viewFailed(state, failed, sources)),
    ...(reassigned && { reassigned }),
    ...(disputes.length > 0 && { disputes: disputes.map(({ finding }) => viewFinding(state, finding)) }),
    ...(naming.length > 0 && { interventions: naming.map((one) => viewIntervention(one, 'owner')) }),
  };
}

const isAbout = ({ text, responses }: Intervention, id: string): boolean =>
  [text, ...Object.values(responses).map((response) => response.text)].some((said) => namesRecord(said, id));

function viewFailed(
  { contract: { latest } }: SessionState,
  { scenario, attempt }: Failed,
  { loaded, document }: Sources,
) {
  const { attempts } = viewAsked(scenario, { attempt, items: attempt.evidence }, 'board', loaded);
  const found = latest && contractItem(document(latest.content_hash), scenario.test.id);
  const shown = attempts.find((each) => each.attempt === attempt.attempt);
  return {
    ...(found && { contract: { revision_id: latest.revision_id, pointer: found.pointer, value: found.item } }),
    ...(shown && { attempt: shown }),
  };
}
