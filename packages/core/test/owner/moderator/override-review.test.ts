import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { judges, stopped } from '../../moderation.ts';
import { approve, certified, decided, play, review, submit, submitted } from '../../story.ts';

const input = { role: 'moderator', reason: 'Known, and accepted.' } as const;
const objected = play(certified, [judges('REQUEST_CHANGES')]);

describe('overrideReview', () => {
  describeOwner('overrideReview', { past: objected, input, statuses: ['ACTIVE', 'PAUSED'] });

  test('keeps the review, which no longer blocks', () => {
    const outcome = given(objected).when('overrideReview', input, 'owner');
    outcome.thenEvents({
      kind: 'moderator_review.overridden',
      actor: 'owner',
      data: { revision_id: 'r_1', reason: 'Known, and accepted.' },
    });
    expect(outcome.reply().review).toMatchObject({
      revision_id: 'r_1',
      verdict: 'REQUEST_CHANGES',
      outdated: false,
      override_reason: 'Known, and accepted.',
    });
  });

  test('works while the moderator is stopped, and still applies after the moderator is restored', () => {
    given([...objected, stopped])
      .when('overrideReview', input, 'owner')
      .reply();
  });

  test.each([
    ['there is no revision', decided],
    ['there is no review', submitted],
    ['the review approves', play(submitted, [judges('APPROVE')])],
    ['the review only comments', play(submitted, [judges('COMMENT')])],
    ['the review is of an earlier revision', play(objected, [submit('r_1')])],
    ['the owner sent the revision back', play(objected, [['owner', 'requestChanges', { reason: 'Name it.' }]])],
    ['it is overridden', play(objected, [['owner', 'overrideReview', input]])],
    ['only a builder asks for changes', play(submitted, [review('agent_b', 'REQUEST_CHANGES')])],
  ])('refuses if %s', (_what, past) => {
    given(past).when('overrideReview', input, 'owner').thenFails('INVALID_TRANSITION', {
      hint: 'No override is needed: no review of the moderator blocks the approval.',
    });
  });

  test.each([
    ['there is no review', submitted, 'The moderator has not requested changes of the latest revision.'],
    [
      'it is overridden',
      play(objected, [['owner', 'overrideReview', input]]),
      "You have already overridden the moderator's request for changes of the latest revision.",
    ],
  ])('states the reason of the refusal if %s', (_what, past, message) => {
    expect(given(past).when('overrideReview', input, 'owner').refusal().message).toBe(message);
  });

  test('works only in CONTRACT', () => {
    given(play(certified, [approve]))
      .when('overrideReview', input, 'owner')
      .thenFails('INVALID_TRANSITION', { phase: 'READINESS', allowed_phases: ['CONTRACT'] });
  });

  test.each(['agent_a', 'agent_b', 'owner'])('never replaces the review of %s', (role) => {
    const { error, issues } = given(objected)
      .when('overrideReview', { ...input, role } as never, 'owner')
      .refusal();
    expect({ error, issues }).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'role' }] });
  });
});
