import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { EvidenceItems, EvidenceRefs, viewEvidenceRefs } from '../evidence.ts';
import { At, BuilderRole, DecisionId, LongText, Reason, text } from '../fields.ts';
import { storedData } from '../stored-data.ts';
import { wordDiff } from '../word-diff.ts';
import { DECISION_STATUSES, decisionEvents } from './events.ts';
import { isActive } from './rules.ts';
import type { Decision } from './state.ts';

/** A position on a topic: the input of `submit_decision`, and a part of a turn. */
export const Proposal = z.strictObject({
  topic: text(200).describe('One active decision per topic.'),
  position: LongText.describe('Exact enough to be built.'),
  evidence: EvidenceItems.optional(),
  accept: z.boolean().optional().describe('Accept it too.'),
  supersedes: DecisionId.optional(),
});
documented.add(Proposal, { id: 'Proposal' });

export const DecisionView = z.strictObject({
  decision_id: DecisionId,
  topic: z.string(),
  position: z
    .string()
    .nullable()
    .describe('Null in lists for a SUPERSEDED, WITHDRAWN or REJECTED decision; with decision_id, always given.'),
  evidence: EvidenceRefs,
  status: z.enum(DECISION_STATUSES).register(documented, { id: 'DecisionStatus' }),
  active: z.boolean(),
  proposed_by: BuilderRole,
  accepted_by: z
    .array(BuilderRole)
    .describe('Who has accepted the decision, or had accepted it when it was superseded.'),
  revision: z.int(),
  supersedes: DecisionId.nullable(),
  changes: z.string().optional().describe('Words that differ from the superseded position: [-removed-] {+added+}.'),
  reason: z.string().nullable().describe('Why the decision was withdrawn or rejected.'),
  proposed_at: At,
});
documented.add(DecisionView, { id: 'Decision' });

/** A decision in a list. A closed decision lacks the members that are optional here. */
export const ListedDecision = DecisionView.partial({
  position: true,
  evidence: true,
  revision: true,
  supersedes: true,
  proposed_at: true,
});
documented.add(ListedDecision, { id: 'ListedDecision' });
const DECISION_CHANGE = { decision_id: true, status: true, active: true, accepted_by: true, supersedes: true } as const;
export const DecisionResult = z
  .strictObject({ decision: DecisionView.pick(DECISION_CHANGE) })
  .register(documented, { id: 'DecisionResult' });
export const DecisionReasonInput = z
  .strictObject({ decision_id: DecisionId, reason: Reason })
  .register(documented, { id: 'DecisionReasonInput' });

export const viewDecision = (decision: Decision): z.output<typeof DecisionView> => ({
  decision_id: decision.decisionId,
  topic: decision.topic,
  position: decision.position,
  evidence: viewEvidenceRefs(decision.evidence),
  status: decision.status,
  active: isActive(decision),
  proposed_by: decision.proposedBy,
  accepted_by: [...decision.acceptedBy],
  revision: decision.revision,
  supersedes: decision.supersedes,
  ...viewChanges(decision),
  reason: decision.reason,
  proposed_at: decision.at,
});

const viewChanges = memoizeBy(({ superseded, position }: Decision): { changes?: string } =>
  superseded == null || position === null ? {} : { changes: wordDiff(superseded, position) },
);

export function viewListedDecision(decision: Decision): z.output<typeof ListedDecision> {
  const view = viewDecision(decision);
  if (view.active) return view;
  const { decision_id, topic, status, active, proposed_by, accepted_by, reason } = view;
  return { decision_id, topic, status, active, proposed_by, accepted_by, reason };
}

/** The answer of a call that changes a decision. The texts are left out, because the caller has sent them. */
export const viewDecisionChange = (decision: Decision): z.output<typeof DecisionResult> => {
  const { decision_id, status, active, accepted_by, supersedes } = viewDecision(decision);
  return { decision: { decision_id, status, active, accepted_by, supersedes } };
};

/**
 * Numbers of the stored events that contain the position and the evidence of a closed decision. Empty for an active
 * decision, whose texts are in the state.
 */
export const decisionSeqs = ({ position, textSeqs }: Decision): readonly number[] =>
  position === null ? textSeqs : [];

/**
 * A decision with its position and its evidence, even if the decision is closed.
 * @param loaded the events of {@link decisionSeqs}
 */
export const viewWholeDecision = (
  decision: Decision,
  loaded: readonly LoggedEvent[],
): z.output<typeof DecisionView> => {
  const { position, evidence } = decision.position === null ? textsOf(decision, loaded) : decision;
  return { ...viewDecision(decision), position, evidence: evidence.map((item) => ({ ...item })) };
};

function textsOf({ textSeqs: [proposed = 0, ...substantiated] }: Decision, loaded: readonly LoggedEvent[]) {
  const { position, evidence = [] } = storedData(loaded, proposed, decisionEvents['decision.proposed']);
  const added = substantiated.flatMap(
    (seq) => storedData(loaded, seq, decisionEvents['decision.substantiated']).evidence,
  );
  return { position, evidence: [...evidence, ...added] };
}
