import { expect, test } from 'vitest';
import { sessionCatalog } from '../src/areas/catalog.ts';

/**
 * For each kind of event: its version, who sees it, and whether it is a message. The owner sees every event.
 * `addressee`: the role in `due_to`. `standalone`: a message only outside a turn.
 */
const KINDS = [
  ['access.revoked', 1, 'owner', false],
  ['action.acknowledged', 1, 'addressee', false],
  ['action.completed', 1, 'everyone', true],
  ['action.fulfilled', 1, 'addressee', false],
  ['action.opened', 1, 'addressee', false],
  ['action.settled', 1, 'owner', true],
  ['activation.authorized', 1, 'everyone', true],
  ['approval.given', 1, 'owner', true],
  ['attachment.added', 1, 'everyone', true],
  ['attempt.started', 1, 'everyone', true],
  ['author.elected', 1, 'everyone', true],
  ['author.nominated', 1, 'everyone', true],
  ['build.authorized', 1, 'everyone', true],
  ['changes.requested', 1, 'everyone', true],
  ['contract.approved', 1, 'everyone', true],
  ['contract.validated', 1, 'everyone', true],
  ['decision.accepted', 1, 'everyone', 'standalone'],
  ['decision.proposed', 1, 'everyone', 'standalone'],
  ['decision.rejected', 1, 'everyone', 'standalone'],
  ['decision.substantiated', 1, 'everyone', 'standalone'],
  ['decision.withdrawn', 1, 'everyone', true],
  ['defect.closed', 1, 'everyone', true],
  ['defect.fixed', 1, 'everyone', true],
  ['defect.opened', 1, 'everyone', true],
  ['defect.reassigned', 1, 'everyone', true],
  ['defect.reopened', 1, 'everyone', true],
  ['defect.waived', 1, 'everyone', true],
  ['deployment.authorized', 1, 'everyone', true],
  ['entitlement.changed', 1, 'owner', false],
  ['events.acknowledged', 1, 'owner', false],
  ['evidence.posted', 1, 'everyone', true],
  ['evidence.submitted', 1, 'everyone', true],
  ['finding.overridden', 1, 'everyone', true],
  ['finding.raised', 1, 'everyone', true],
  ['finding.resolved', 1, 'everyone', true],
  ['finding.responded', 1, 'everyone', true],
  ['first_turn.chosen', 1, 'everyone', true],
  ['gate.run', 1, 'everyone', true],
  ['handshake.declared', 1, 'everyone', true],
  ['hold.opened', 1, 'everyone', true],
  ['hold.released', 1, 'everyone', true],
  ['intervention.acknowledged', 1, 'everyone', false],
  ['intervention.answered', 1, 'everyone', true],
  ['intervention.opened', 1, 'everyone', true],
  ['intervention.withdrawn', 1, 'everyone', true],
  ['invitation.created', 1, 'owner', false],
  ['invitation.redeemed', 1, 'owner', false],
  ['moderator.granted', 1, 'owner', false],
  ['moderator.restored', 1, 'owner', false],
  ['moderator.stopped', 1, 'owner', false],
  ['moderator_review.overridden', 1, 'everyone', true],
  ['moderator_review.submitted', 1, 'everyone', true],
  ['notice.delivered', 1, 'owner', false],
  ['pass.carried', 1, 'everyone', true],
  ['phase.changed', 1, 'everyone', true],
  ['preflight.submitted', 1, 'everyone', true],
  ['question.answered', 1, 'everyone', 'standalone'],
  ['question.asked', 1, 'everyone', 'standalone'],
  ['quota.raised', 1, 'everyone', true],
  ['readiness.checked', 1, 'everyone', true],
  ['readiness.submitted', 1, 'everyone', true],
  ['reading.recorded', 1, 'owner', false],
  ['receipt.confirmed', 1, 'everyone', true],
  ['recommendation.answered', 1, 'moderator', true],
  ['recommendation.made', 1, 'moderator', true],
  ['review.submitted', 1, 'everyone', true],
  ['revision.created', 1, 'everyone', true],
  ['rounds.extended', 1, 'everyone', true],
  ['session.created', 1, 'owner', false],
  ['session.ended', 1, 'everyone', true],
  ['session.paused', 1, 'everyone', true],
  ['session.resumed', 1, 'everyone', true],
  ['session.started', 1, 'everyone', true],
  ['turn.posted', 1, 'everyone', true],
  ['verdict.given', 1, 'everyone', true],
];

test('every kind of event has its version, its audience and its place in the transcript', () => {
  const kinds = Object.entries(sessionCatalog).map(([kind, { v, seenBy, message }]) => [kind, v, seenBy, message]);
  expect(kinds.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(KINDS);
});

test('kinds are spelled <noun>.<past participle>', () => {
  for (const kind of Object.keys(sessionCatalog)) expect(kind).toMatch(/^[a-z]+(_[a-z]+)?\.[a-z]+(ed|n|de)$/);
});
