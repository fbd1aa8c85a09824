import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';

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

export const noGrounds: Grounds = emptyMap();

export const groundKey = ({ type, id }: GroundRecord): string => `${type} ${id}`;

export const evolveGrounds = (grounds: Grounds, event: SessionEvent): Grounds =>
  changedBy(event).reduce((all, record) => withEntry(all, groundKey(record), event.seq), grounds);

function changedBy({ actor, ...event }: SessionEvent): readonly GroundRecord[] {
  switch (event.kind) {
    case 'author.nominated':
      return [{ type: 'nomination', id: actor }];
    case 'author.elected':
      return [{ type: 'author', id: 'contract' }];
    case 'decision.proposed':
    case 'decision.substantiated':
    case 'decision.accepted':
    case 'decision.withdrawn':
    case 'decision.rejected':
      return [{ type: 'decision', id: event.data.decision_id }];
    case 'question.asked':
    case 'question.answered':
      return [{ type: 'question', id: event.data.question_id }];
    case 'intervention.opened':
    case 'intervention.acknowledged':
    case 'intervention.answered':
    case 'intervention.withdrawn':
      return [{ type: 'intervention', id: event.data.intervention_id }];
    case 'revision.created':
    case 'contract.validated':
    case 'changes.requested':
      return [{ type: 'revision', id: event.data.revision_id }];
    case 'review.submitted':
      return [
        { type: 'review', id: actor },
        ...(event.data.findings ?? []).map((id) => ({ type: 'finding' as const, id })),
      ];
    case 'moderator_review.submitted':
    case 'moderator_review.overridden':
      return [{ type: 'review', id: 'moderator' }];
    case 'preflight.submitted':
      return [{ type: 'preflight', id: 'contract' }];
    case 'finding.raised':
    case 'finding.responded':
    case 'finding.resolved':
    case 'finding.overridden':
      return [{ type: 'finding', id: event.data.finding_id }];
    case 'hold.opened':
    case 'hold.released':
      return [{ type: 'hold', id: event.data.hold_id }];
    case 'recommendation.made':
    case 'recommendation.answered':
      return [{ type: 'recommendation', id: event.data.recommendation_id }];
    default:
      return changedByBuild({ actor, ...event });
  }
}

/** The records that an event after the approval of the contract changes. */
function changedByBuild({ actor, ...event }: SessionEvent): readonly GroundRecord[] {
  switch (event.kind) {
    case 'contract.approved':
      return [{ type: 'manifest', id: event.data.manifest.manifest_id }];
    case 'build.authorized':
    case 'deployment.authorized':
    case 'activation.authorized':
      return [{ type: 'manifest', id: event.data.manifest_id }];
    case 'readiness.submitted':
      return [{ type: 'readiness', id: actor }];
    case 'readiness.checked':
      return [{ type: 'readiness', id: event.data.answers_of }];
    case 'handshake.declared':
      return [{ type: 'handshake', id: actor }];
    case 'attempt.started':
    case 'evidence.submitted':
    case 'verdict.given':
    case 'pass.carried':
      return [{ type: 'scenario', id: event.data.scenario_id }];
    case 'defect.opened':
    case 'defect.reopened':
    case 'defect.fixed':
    case 'defect.closed':
    case 'defect.waived':
    case 'defect.reassigned':
      return [{ type: 'defect', id: event.data.defect_id }];
    case 'action.completed':
      return [{ type: 'action', id: event.data.action_id }];
    default:
      return changedByAccess({ actor, ...event });
  }
}

const MODERATOR: GroundRecord = { type: 'moderator', id: 'contract' };

/** Whether a moderator can act, and what it may do. */
function changedByAccess(event: SessionEvent): readonly GroundRecord[] {
  switch (event.kind) {
    case 'moderator.stopped':
    case 'moderator.restored':
    case 'moderator.granted':
    case 'entitlement.changed':
      return [MODERATOR];
    case 'access.revoked':
    case 'invitation.redeemed':
      return event.data.role === 'moderator' ? [MODERATOR] : [];
    default:
      return [];
  }
}
