import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { EvidenceItems, viewEvidenceRefs } from '../evidence.ts';
import { DecisionId, LongText, Reason, text } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { storedData } from '../stored-data.ts';
import { wordDiff } from '../word-diff.ts';
import { decisionEvents } from './events.ts';
import { type Decision, DecisionView } from './record.ts';
import { isActive } from './rules.ts';

/** A position on a topic: the input of `submit_decision`, and a part of a turn. */
export const Proposal = z.strictObject({
  topic: text(200).describe('One active decision per topic.'),
  position: LongText.describe('Exact enough to be built.'),
  evidence: EvidenceItems.optional(),
  accept: z.boolean().optional().describe('Accept it too.'),
  supersedes: DecisionId.optional(),
});
documented.add(Proposal, { id: 'Proposal' });

const ABSENT_IF_CLOSED = {
  position: true,
  evidence: true,
  revision: true,
  supersedes: true,
  proposed_at: true,
} as const;

/** A decision in a list. A closed decision lacks the members that are optional here. */
export const ListedDecision = DecisionView.partial(ABSENT_IF_CLOSED);
documented.add(ListedDecision, { id: 'ListedDecision' });
const DecisionChange = DecisionView.pick({
  decision_id: true,
  status: true,
  active: true,
  accepted_by: true,
  supersedes: true,
});
export const DecisionResult = z
  .strictObject({ decision: DecisionChange })
  .register(documented, { id: 'DecisionResult' });
export const DecisionReasonInput = z
  .strictObject({ decision_id: DecisionId, reason: Reason })
  .register(documented, { id: 'DecisionReasonInput' });

const pickDecision = pickOf(DecisionView);

export const viewDecision = (decision: Decision): z.output<typeof DecisionView> =>
  pickDecision({
    ...decision,
    evidence: viewEvidenceRefs(decision.evidence),
    active: isActive(decision),
    ...viewChanges(decision),
  });

const viewChanges = memoizeBy(({ superseded, position }: Decision): { changes?: string } =>
  superseded == null || position === null ? {} : { changes: wordDiff(superseded, position) },
);

const pickClosed = pickOf(DecisionView.omit(ABSENT_IF_CLOSED));

export const viewListedDecision = (decision: Decision): z.output<typeof ListedDecision> =>
  isActive(decision) ? viewDecision(decision) : pickClosed({ ...decision, active: false });

const pickChange = pickOf(DecisionChange);

/** The answer of a call that changes a decision. The texts are left out, because the caller has sent them. */
export const viewDecisionChange = (decision: Decision): z.output<typeof DecisionResult> => ({
  decision: pickChange({ ...decision, active: isActive(decision) }),
});

/**
 * Numbers of the stored events that contain the position and the evidence of a closed decision. Empty for an active
 * decision, whose texts are in the state.
 */
export const decisionSeqs = ({ position, text_seqs }: Decision): readonly number[] =>
  position === null ? text_seqs : [];

/**
 * A decision with its position and its evidence, even if the decision is closed.
 * @param loaded the events of {@link decisionSeqs}
 */
export const viewWholeDecision = (
  decision: Decision,
  loaded: readonly LoggedEvent[],
): z.output<typeof DecisionView> => {
  const { position, evidence } = decision.position === null ? textsOf(decision, loaded) : decision;
  return { ...viewDecision(decision), position, evidence };
};

function textsOf({ text_seqs: [proposed = 0, ...substantiated] }: Decision, loaded: readonly LoggedEvent[]) {
  const { position, evidence = [] } = storedData(loaded, proposed, decisionEvents['decision.proposed']);
  const added = substantiated.flatMap(
    (seq) => storedData(loaded, seq, decisionEvents['decision.substantiated']).evidence,
  );
  return { position, evidence: [...evidence, ...added] };
}
