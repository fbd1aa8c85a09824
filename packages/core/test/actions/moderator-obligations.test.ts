import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { entitled, found, granted, invitedAgain, respondsTo, restored, revoked, stopped } from '../moderation.ts';
import { actionCompleted } from '../past.ts';
import { play, submitted } from '../story.ts';

/** The moderator's actions of one type. They are read as the owner, because a stopped moderator cannot read. */
const due = (past: readonly PastEvent[], type: string) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .actions.filter((action) => action.due_to === 'moderator' && action.type === type)
    .map(({ action_id, status }) => `${action_id} ${status}`);
const open = (past: readonly PastEvent[], type: string) =>
  due(past, type).filter((action) => !action.endsWith('COMPLETED')).length;

const answered = play(found, [respondsTo('f_1')]);

const PAUSES: readonly (readonly [string, readonly PastEvent[], readonly PastEvent[]])[] = [
  ['stopped', [stopped], [restored]],
  ['without entitlement', [entitled(false)], [entitled(true)]],
  ['revoked', [revoked], [invitedAgain]],
];

describe('REVIEW_REVISION of the moderator', () => {
  test('is due for the revision that both builders review', () => {
    const { pending_actions } = given(submitted).when('get_moderator_status', {}, 'moderator').reply();
    expect(pending_actions).toEqual([
      {
        action_id: 'act_2',
        type: 'REVIEW_REVISION',
        text: 'Review r_1: read get_final_plan (format markdown, the shortest that shows all of it), then give your verdict on its content_hash.',
        tool: 'submit_contract_review',
        route: 'POST moderator/reviews',
        payload: {
          revision_id: 'r_1',
          content_hash: SAMPLE_HASH,
          verdict: '<APPROVE, REQUEST_CHANGES or COMMENT>',
          summary: '<your summary>',
          dimensions: '<a list; each item has name, score (1 to 5) and note>',
        },
        status: 'PENDING',
        due_to: 'moderator',
        from: 'system',
        opened_at: '2026-01-05T09:00:00.000Z',
      },
    ]);
  });

  test.each([...PAUSES, ['without the permission', [granted('ask')], [granted('review')]]] as const)(
    'is gone while the moderator is %s, and back afterwards',
    (_what, takes, gives) => {
      expect(open([...submitted, ...takes], 'REVIEW_REVISION')).toBe(0);
      expect(open([...submitted, ...takes, ...gives], 'REVIEW_REVISION')).toBe(1);
    },
  );

  test('stays due after it was completed by hand', () => {
    const past = [...submitted, actionCompleted('moderator', 'act_2')];
    expect(given(past).when('read_session_state', {}, 'moderator').reply().pending_actions).toEqual([]);
    expect(due(past, 'REVIEW_REVISION')).toEqual(['act_2 COMPLETED']);
  });
});

describe('ASSESS_RESPONSE', () => {
  test('is due for a response to a finding of the moderator, with the call that fulfills it', () => {
    const [, action] = given(found)
      .when(...callOf('f_1'))
      .events();
    expect(action).toMatchObject({
      kind: 'action.opened',
      actor: 'system',
      data: {
        due_to: 'moderator',
        type: 'ASSESS_RESPONSE',
        text: 'Read the response to your finding f_1 with get_moderator_findings, then resolve the finding if the response satisfies you.',
        tool: 'resolve_finding',
        payload: { finding_id: 'f_1', outcome: '<RESOLVED or WITHDRAWN>' },
      },
    });
  });

  test('is one action for the latest response, even if the action for the earlier response was completed', () => {
    const later = respondsTo('f_1', 'ACCEPT');
    expect(open(play(answered, [later]), 'ASSESS_RESPONSE')).toBe(1);
    const [first = ''] = due(answered, 'ASSESS_RESPONSE');
    const ticked = [...answered, actionCompleted('moderator', first.split(' ')[0] ?? '')];
    expect(open(ticked, 'ASSESS_RESPONSE')).toBe(0);
    expect(open(play(ticked, [later]), 'ASSESS_RESPONSE')).toBe(1);
  });
});

function callOf(finding_id: string) {
  return ['respond_finding', { finding_id, decision: 'REJECT', response: 'It is there.' }, 'agent_a'] as const;
}
