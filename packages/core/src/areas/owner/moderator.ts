import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Permission } from '../../kernel/roles.ts';
import { ModeratorResult, viewModerator } from '../access/rules.ts';
import { currentTokenOf } from '../access/state.ts';
import { HoldId, NoInput, Reason, RecommendationId, text } from '../fields.ts';
import { activeHold, HoldResult, holdOf, viewHold } from '../findings/rules.ts';
import {
  findingGrounds,
  holdGrounds,
  moderatorGrounds,
  moderatorReviewGrounds,
  revisionGrounds,
  SEEN,
} from '../grounds/rules.ts';
import { OWNER_DECISIONS } from '../interventions/events.ts';
import { RecommendationResult, recommendationOf, viewRecommendation } from '../interventions/rules.ts';
import { defineDecision, defineOperation } from '../operation.ts';
import { currentModeratorReview, ModeratorReviewResult, viewModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { Permissions, refuseToDrop, requireOpen, requirePhase, requireStatus } from './rules.ts';

/**
 * Domain 10. Sets the permissions of the moderator's current token and of its open invitation. An invitation that is
 * created later has its own permissions.
 */
export const grantModerator = defineOperation({
  name: 'grantModerator',
  summary:
    "Set what the moderator may do: ask, find, hold, review, recommend. This applies from the moderator's next request.",
  access: { owner: true },
  input: z.strictObject({
    permissions: Permissions.describe(
      'All permissions that the moderator has from now on; with an empty list it can only read.',
    ),
  }),
  output: ModeratorResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { permissions } }) =>
    `From its next request on, the moderator may: ${permissions.join(', ') || 'only read'}.`,

  decide(state, { permissions }) {
    requireOpen(state, 'grantModerator');
    const grants = grantsOf(state);
    if (grants.length === 0)
      fail('INVALID_TRANSITION', 'There is no moderator with a token or an open invitation.', {
        hint: 'Invite a moderator: the invitation names the permissions.',
      });
    return grants.every((granted) => isSame(granted, permissions))
      ? []
      : [{ kind: 'moderator.granted', data: { permissions } }];
  },

  reply: (state) => ({ moderator: viewModerator(state) }),
});

function grantsOf({ access }: SessionState): (readonly Permission[])[] {
  const token = currentTokenOf(access, 'moderator');
  const invitation = lookUp(access.invitations, access.openCode.moderator ?? '');
  return [
    ...(token && token.revoked_at === null ? [token.permissions] : []),
    ...(invitation ? [invitation.permissions] : []),
  ];
}

const isSame = (one: readonly Permission[], other: readonly Permission[]): boolean =>
  one.length === other.length && one.every((permission) => other.includes(permission));

const NOT_BLOCKING = 'No override is needed: no review of the moderator blocks the approval.';

/**
 * Domain 3. Overrides the moderator's request for changes. The owner cannot override a builder's review, because an
 * approval needs the reviews of both builders.
 */
export const overrideReview = defineDecision({
  name: 'overrideReview',
  summary:
    "Override the moderator's request for changes of the latest revision, with your reason; the request then no longer blocks.",
  access: { owner: 'approver' },
  dialog: {
    title: "Override the moderator's review",
    explanation:
      "The moderator's request for changes no longer blocks the approval. Everybody in the session can read your reason.",
    confirm: 'Override the review',
  },
  input: z.strictObject({
    role: z
      .enum(['moderator'], 'Only the review of the moderator can be overridden.')
      .describe("The reviewer: only the moderator's review can be overridden."),
    reason: Reason,
    ...SEEN,
  }),
  output: ModeratorReviewResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ answer: { review } }) =>
    `The moderator's review of ${review.revision_id} is overridden with your reason, and no longer blocks the approval.`,

  restsOn: (state) => [...revisionGrounds(state), ...moderatorReviewGrounds(state), ...moderatorGrounds(state)],

  decide(state, { reason }) {
    requireStatus(state, 'overrideReview', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'overrideReview', 'CONTRACT');
    const review = currentModeratorReview(state);
    if (review?.verdict !== 'REQUEST_CHANGES')
      return fail('INVALID_TRANSITION', 'The moderator has not requested changes of the latest revision.', {
        hint: NOT_BLOCKING,
      });
    if (review.override_reason !== null)
      return fail(
        'INVALID_TRANSITION',
        "You have already overridden the moderator's request for changes of the latest revision.",
        { hint: NOT_BLOCKING },
      );
    return [{ kind: 'moderator_review.overridden', data: { revision_id: review.revision_id, reason } }];
  },

  reply(state) {
    const { latest } = state.contract;
    const review = lookUp(state.moderatorReviews, latest?.revision_id ?? '');
    return {
      review: viewModeratorReview(state)(
        review ?? fail('INTERNAL', 'The override was stored, but the state does not contain the review.'),
      ),
    };
  },
});

/** Domain 10. Releases a hold of the moderator. The finding of the hold stays open. */
export const releaseHold = defineDecision({
  name: 'releaseHold',
  summary: "Release the moderator's hold on a finding; the finding stays open.",
  access: { owner: 'approver' },
  dialog: {
    button: 'Release the hold…',
    title: 'Release hold {hold_id}',
    explanation: 'The hold then no longer stops the approval and the authorizations. The finding stays open.',
    confirm: 'Release the hold',
  },
  input: z.strictObject({ hold_id: HoldId, reason: Reason, ...SEEN }),
  output: HoldResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'HOLD_CLOSED'],

  said: ({ answer: { hold } }) => `${hold.hold_id} is released. Its finding ${hold.finding_id} stays open.`,

  restsOn(state, { hold_id }) {
    const { finding_id: held } = holdOf(state.holds, hold_id);
    const finding = findingGrounds(state, (one) => one.finding_id === held);
    return [...holdGrounds(state, held), ...finding, ...moderatorGrounds(state)];
  },

  decide(state, { hold_id, reason }) {
    requireOpen(state, 'releaseHold');
    const { finding_id } = activeHold(state.holds, hold_id);
    return [{ kind: 'hold.released', data: { hold_id, finding_id, cause: 'OWNER', reason } }];
  },

  reply: ({ holds }, { hold_id }) => ({ hold: viewHold(holdOf(holds, hold_id)) }),
});

/**
 * Domain 3. Stores the owner's answer to a recommendation. To follow the advice, the owner makes the necessary calls.
 */
export const respondRecommendation = defineOperation({
  name: 'respondRecommendation',
  summary: 'Tell the moderator whether you follow its advice; this changes nothing else.',
  access: { owner: true },
  input: z.strictObject({
    recommendation_id: RecommendationId,
    decision: z.enum(OWNER_DECISIONS),
    note: text(2_000).optional().describe('A note to the moderator.'),
  }),
  output: RecommendationResult,
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'ALREADY_ANSWERED'],

  said: ({ input: { recommendation_id, decision } }) =>
    `${recommendation_id} is ${decision === 'ACCEPT' ? 'accepted' : 'rejected'}. The moderator can read your answer. Nothing else changes.`,

  decide(state, { recommendation_id, decision, note }) {
    requireOpen(state, 'respondRecommendation');
    const { answer } = recommendationOf(state.recommendations, recommendation_id);
    if (answer?.decision === decision && answer.note === (note ?? null)) return [];
    if (answer)
      fail('ALREADY_ANSWERED', `You already answered recommendation ${recommendation_id}: ${answer.decision}.`, {
        recommendation_id,
      });
    return [{ kind: 'recommendation.answered', data: { recommendation_id, decision, note } }];
  },

  reply: ({ recommendations }, { recommendation_id }) => ({
    recommendation: viewRecommendation(recommendationOf(recommendations, recommendation_id)),
  }),
});

/** Domain 3. The moderator's token works again, unless it was revoked or has expired. */
export const restoreModerator = defineOperation({
  name: 'restoreModerator',
  summary: 'Let a stopped moderator work again.',
  access: { owner: true },
  input: NoInput,
  output: ModeratorResult,

  said: () => 'The moderator can read and write again.',

  decide: ({ access }) => (access.isModeratorStopped ? [{ kind: 'moderator.restored', data: {} }] : []),

  reply: (state) => ({ moderator: viewModerator(state) }),
});

/**
 * Stores in one session whether the owner allows moderators. `setModeratorEntitlement` calls this operation for each
 * session of the owner, also for ended sessions, because a new session copies the value of the newest session.
 */
export const setEntitlement = defineOperation({
  name: 'setEntitlement',
  summary: 'Set whether the owner of a session admits moderators.',
  access: { owner: true },
  input: z.strictObject({ entitled: z.boolean() }),
  output: z.strictObject({ entitled: z.boolean() }),

  decide: ({ access }, { entitled }) =>
    access.isModeratorEntitled === entitled ? [] : [{ kind: 'entitlement.changed', data: { entitled } }],

  reply: ({ access }) => ({ entitled: access.isModeratorEntitled }),
});

/**
 * Spec 5.11. From now on, requests of the moderator are refused with MODERATOR_STOPPED. A waiting request is refused at
 * once.
 */
export const stopModerator = defineOperation({
  name: 'stopModerator',
  summary:
    'Stop the moderator: it can neither read nor write until you restore it. Its holds stay until you release them.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({
    reason: text(2_000).optional().describe('For your own record. Refused if the moderator is stopped already.'),
  }),
  output: ModeratorResult,
  errors: ['INVALID_TRANSITION'],

  said: () => 'The moderator is stopped: it can neither read nor write. Its holds stay until you release them.',

  decide({ access }, { reason }) {
    if (!access.isModeratorStopped) return [{ kind: 'moderator.stopped', data: { reason } }];
    if (reason !== undefined)
      refuseToDrop(
        'reason',
        'The moderator is stopped',
        'Leave the reason out: the call then answers that the moderator is stopped. The log keeps the reason of the stop that stands.',
      );
    return [];
  },

  reply: (state) => ({ moderator: viewModerator(state) }),
});
