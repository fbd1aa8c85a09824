import { describe, expect, test } from 'vitest';
import { given, openSession, type PastEvent } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { granted, revoked, stopped } from '../../moderation.ts';

const invited = (...permissions: readonly ('ask' | 'find' | 'hold' | 'review' | 'recommend')[]): PastEvent => ({
  kind: 'invitation.created',
  actor: 'owner',
  data: {
    role: 'moderator',
    code_hash: 'hash-of-a-code',
    code_prefix: 'pinv_sampl',
    expires_at: '2026-01-12T09:00:00.000Z',
    permissions: [...permissions],
  },
});

const grant = (past: readonly PastEvent[], ...permissions: ('ask' | 'find' | 'hold' | 'review' | 'recommend')[]) =>
  given(past).when('grantModerator', { permissions }, 'owner');

describe('grantModerator', () => {
  describeOwner('grantModerator', { input: { permissions: ['ask'] }, statuses: NOT_ENDED });

  test('sets what the moderator may do from its next request on', () => {
    grant([], 'find', 'ask')
      .thenEvents(granted('find', 'ask'))
      .thenReply({
        moderator: { active: true, stopped: false, entitled: true, permissions: ['find', 'ask'], acked_cursor: 0 },
      });
    const past = [granted('find')];
    const finding = { category: 'SAFETY', text: 'x', resolution_criteria: 'y' } as const;
    given(past).when('submit_moderator_finding', finding, 'moderator').reply();
    given(past)
      .when('ask_agent', { text: 'Why?' }, 'moderator')
      .thenFails('PERMISSION_DENIED', { required_permission: 'ask' });
  });

  test('can leave the moderator with read access only', () => {
    expect(grant([]).reply().moderator.permissions).toEqual([]);
    given([granted()]).when('get_session_events', {}, 'moderator').reply();
  });

  test('stores nothing for the permissions it has, in any order', () => {
    grant([], 'recommend', 'review', 'hold', 'find', 'ask').thenEvents();
    grant([granted('ask', 'find')], 'find', 'ask').thenEvents();
  });

  test('works on a moderator that is stopped', () => {
    grant([stopped], 'ask').thenEvents(granted('ask'));
  });

  test('reaches an invitation that nobody has redeemed yet', () => {
    const past = [revoked, invited('ask', 'find')];
    grant(past, 'hold').thenEvents(granted('hold'));
    grant(past, 'find', 'ask').thenEvents();
    grant([...past, granted('hold')], 'hold').thenEvents();
  });

  test('shows the permissions of an invitation that nobody has redeemed yet', () => {
    const past = [revoked, invited('ask', 'find')];
    expect(
      given(past)
        .when('grantModerator', { permissions: ['ask', 'find'] }, 'owner')
        .reply().moderator,
    ).toEqual({
      ...{ active: false, stopped: false, entitled: true, acked_cursor: 0 },
      permissions: ['ask', 'find'],
    });
    expect(grant(past, 'hold').reply().moderator.permissions).toEqual(['hold']);
    expect(grant([granted('find'), invited('ask')], 'hold', 'ask').reply().moderator.permissions).toEqual([
      'hold',
      'ask',
    ]);
    expect(
      given([invited('ask')])
        .when('stopModerator', {}, 'owner')
        .reply().moderator.permissions,
    ).toHaveLength(5);
    expect(
      given([invited('ask'), revoked])
        .when('stopModerator', {}, 'owner')
        .reply().moderator.permissions,
    ).toEqual([]);
  });

  test('changes token and invitation if one of them differs', () => {
    const all = ['ask', 'find', 'hold', 'review', 'recommend'] as const;
    grant([invited('ask')], ...all).thenEvents(granted(...all));
    grant([invited(...all)], ...all).thenEvents();
  });

  test('applies to the token that is redeemed afterwards', async () => {
    const { owner, sessionId, parley } = await openSession();
    const { code } = await owner.invite(sessionId, { role: 'moderator', permissions: ['ask'] });
    await owner.grantModerator(sessionId, { permissions: ['hold'] });
    expect((await parley.redeem({ code })).permissions).toEqual(['hold']);
  });

  test('is undone by the permissions that a later invitation names', async () => {
    const { owner, sessionId, parley } = await openSession();
    await owner.grantModerator(sessionId, { permissions: ['hold'] });
    const { code } = await owner.invite(sessionId, { role: 'moderator', permissions: ['ask'] });
    expect((await parley.redeem({ code })).permissions).toEqual(['ask']);
  });

  test('refuses if there is no moderator and no invitation', () => {
    grant([revoked], 'ask').thenFails('INVALID_TRANSITION', {
      hint: 'Invite a moderator: the invitation names the permissions.',
    });
    grant([invited('ask'), revoked], 'ask').thenFails('INVALID_TRANSITION', {
      hint: 'Invite a moderator: the invitation names the permissions.',
    });
  });

  test.each([
    ['of another name', ['approve']],
    ['doubled', ['ask', 'ask']],
    ['no list', { ask: true }],
    ['left out', undefined],
  ])('refuses permissions that are %s', (_what, permissions) => {
    const { error } = given()
      .when('grantModerator', { permissions } as never, 'owner')
      .refusal();
    expect(error).toBe('INVALID_INPUT');
  });
});
