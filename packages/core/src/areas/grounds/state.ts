import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../catalog.ts';

/**
 * A record on which a decision of the owner can rest. `id` is a role if each agent has one, such as a review, and
 * `contract` if the session has only one.
 */
export interface GroundRecord {
  readonly type:
    | 'action'
    | 'author'
    | 'decision'
    | 'defect'
    | 'finding'
    | 'gate'
    | 'handshake'
    | 'hold'
    | 'intervention'
    | 'manifest'
    | 'moderator'
    | 'nomination'
    | 'preflight'
    | 'question'
    | 'readiness'
    | 'recommendation'
    | 'review'
    | 'revision'
    | 'scenario';
  readonly id: string;
}

/** By `groundKey`, the number of the latest event that changed the record. */
export type Grounds = PersistentMap<number>;

export const groundKey = ({ type, id }: GroundRecord): string => `${type} ${id}`;

/** Makes a fold that notes the event as the latest change of these records. */
const marks =
  <E extends { readonly seq: number }>(changed: (event: E) => readonly GroundRecord[]) =>
  (grounds: Grounds, event: E): Grounds =>
    changed(event).reduce((all, record) => withEntry(all, groundKey(record), event.seq), grounds);

/** Whether a moderator can act, and what it may do. */
const MODERATOR: GroundRecord = { type: 'moderator', id: 'contract' };

export const groundsSlice: Slice<Grounds> = {
  empty: emptyMap(),
  folds: {
    'author.nominated': marks(({ actor }) => [{ type: 'nomination', id: actor }]),
    'author.elected': marks(() => [{ type: 'author', id: 'contract' }]),
    'decision.proposed': marks(({ data }) => [{ type: 'decision', id: data.decision_id }]),
    'decision.substantiated': marks(({ data }) => [{ type: 'decision', id: data.decision_id }]),
    'decision.accepted': marks(({ data }) => [{ type: 'decision', id: data.decision_id }]),
    'decision.withdrawn': marks(({ data }) => [{ type: 'decision', id: data.decision_id }]),
    'decision.rejected': marks(({ data }) => [{ type: 'decision', id: data.decision_id }]),
    'question.asked': marks(({ data }) => [{ type: 'question', id: data.question_id }]),
    'question.answered': marks(({ data }) => [{ type: 'question', id: data.question_id }]),
    'intervention.opened': marks(({ data }) => [{ type: 'intervention', id: data.intervention_id }]),
    'intervention.acknowledged': marks(({ data }) => [{ type: 'intervention', id: data.intervention_id }]),
    'intervention.answered': marks(({ data }) => [{ type: 'intervention', id: data.intervention_id }]),
    'intervention.withdrawn': marks(({ data }) => [{ type: 'intervention', id: data.intervention_id }]),
    'revision.created': marks(({ data }) => [{ type: 'revision', id: data.revision_id }]),
    'contract.validated': marks(({ data }) => [{ type: 'revision', id: data.revision_id }]),
    'changes.requested': marks(({ data }) => [{ type: 'revision', id: data.revision_id }]),
    'review.submitted': marks(({ actor, data }) => [
      { type: 'review', id: actor },
      ...(data.findings ?? []).map((id) => ({ type: 'finding' as const, id })),
    ]),
    'moderator_review.submitted': marks(() => [{ type: 'review', id: 'moderator' }]),
    'moderator_review.overridden': marks(() => [{ type: 'review', id: 'moderator' }]),
    'preflight.submitted': marks(() => [{ type: 'preflight', id: 'contract' }]),
    'finding.raised': marks(({ data }) => [{ type: 'finding', id: data.finding_id }]),
    'finding.responded': marks(({ data }) => [{ type: 'finding', id: data.finding_id }]),
    'finding.resolved': marks(({ data }) => [{ type: 'finding', id: data.finding_id }]),
    'finding.overridden': marks(({ data }) => [{ type: 'finding', id: data.finding_id }]),
    'hold.opened': marks(({ data }) => [{ type: 'hold', id: data.hold_id }]),
    'hold.released': marks(({ data }) => [{ type: 'hold', id: data.hold_id }]),
    'recommendation.made': marks(({ data }) => [{ type: 'recommendation', id: data.recommendation_id }]),
    'recommendation.answered': marks(({ data }) => [{ type: 'recommendation', id: data.recommendation_id }]),
    'contract.approved': marks(({ data }) => [{ type: 'manifest', id: data.manifest.manifest_id }]),
    'build.authorized': marks(({ data }) => [{ type: 'manifest', id: data.manifest_id }]),
    'deployment.authorized': marks(({ data }) => [{ type: 'manifest', id: data.manifest_id }]),
    'activation.authorized': marks(({ data }) => [{ type: 'manifest', id: data.manifest_id }]),
    'readiness.submitted': marks(({ actor }) => [{ type: 'readiness', id: actor }]),
    'readiness.checked': marks(({ data }) => [{ type: 'readiness', id: data.answers_of }]),
    'handshake.declared': marks(({ actor }) => [{ type: 'handshake', id: actor }]),
    'attempt.started': marks(({ data }) => [{ type: 'scenario', id: data.scenario_id }]),
    'evidence.submitted': marks(({ data }) => [{ type: 'scenario', id: data.scenario_id }]),
    'attachment.added': marks(({ data: { scenario_id: id } }) => (id === undefined ? [] : [{ type: 'scenario', id }])),
    'gate.run': marks(({ data }) => [{ type: 'gate', id: data.gate_id }]),
    'evidence.reported': marks(({ data }) => [{ type: 'scenario', id: data.scenario_id }]),
    'verdict.given': marks(({ data }) => [{ type: 'scenario', id: data.scenario_id }]),
    'pass.carried': marks(({ data }) => [{ type: 'scenario', id: data.scenario_id }]),
    'defect.opened': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'defect.reopened': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'defect.fixed': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'defect.closed': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'defect.waived': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'defect.reassigned': marks(({ data }) => [{ type: 'defect', id: data.defect_id }]),
    'action.completed': marks(({ data }) => [{ type: 'action', id: data.action_id }]),
    'moderator.stopped': marks(() => [MODERATOR]),
    'moderator.restored': marks(() => [MODERATOR]),
    'moderator.granted': marks(() => [MODERATOR]),
    'entitlement.changed': marks(() => [MODERATOR]),
    'access.revoked': marks(({ data }) => (data.role === 'moderator' ? [MODERATOR] : [])),
    'invitation.redeemed': marks(({ data }) => (data.role === 'moderator' ? [MODERATOR] : [])),
  },
};
