import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { entitled } from '../../moderation.ts';
import { ended } from '../../past.ts';

const ALL_SCOPES = [
  'read_task',
  'read_session_state',
  'read_messages',
  'post_turn',
  'post_evidence',
  'answer_question',
  'get_final_plan',
  'get_contract_schema',
  'elect_contract_author',
  'submit_contract',
  'submit_position',
  'submit_final_review',
  'verify_read',
  'verify_execute',
  'ask_agent',
];

describe('invite', () => {
  test('makes a code for a builder, with the 15 scopes and seven days to redeem it', () => {
    const { code, ...rest } = given().when('invite', { role: 'agent_a' }, 'owner').reply();
    expect(code).toMatch(/^pinv_[0-9A-Za-z]{71}$/);
    expect(rest).toEqual({ role: 'agent_a', scopes: ALL_SCOPES, expires_at: '2026-01-12T09:01:00.000Z' });
  });

  test('makes a code for the moderator, with all permissions', () => {
    const { permissions, scopes } = given().when('invite', { role: 'moderator' }, 'owner').reply();
    expect(permissions).toEqual(['ask', 'find', 'hold', 'review', 'recommend']);
    expect(scopes).toBeUndefined();
  });

  test('narrows scopes and permissions', () => {
    const builder = given()
      .when('invite', { role: 'agent_b', scopes: ['read_task'] }, 'owner')
      .reply();
    const moderator = given().when('invite', { role: 'moderator', permissions: [] }, 'owner').reply();
    expect([builder.scopes, moderator.permissions]).toEqual([['read_task'], []]);
  });

  test('stores the hash of the code and its first ten characters, never the code', () => {
    const outcome = given().when('invite', { role: 'agent_a' }, 'owner');
    const { code } = outcome.reply();
    const [event] = outcome.events();
    expect(event).toMatchObject({
      kind: 'invitation.created',
      data: { code_hash: expect.stringMatching(/^[0-9a-f]{64}$/), code_prefix: code.slice(0, 10) },
    });
    expect(JSON.stringify(event)).not.toContain(code.slice(0, 11));
  });

  test('makes a code that expires after the time in the limits', () => {
    const reply = given([], { limits: { invitationLifetimeMs: 3_600_000 } })
      .when('invite', { role: 'agent_a' }, 'owner')
      .reply();
    expect(reply.expires_at).toBe('2026-01-05T10:01:00.000Z');
  });

  test.each([
    ['scopes for the moderator', { role: 'moderator', scopes: ['read_task'] }],
    ['permissions for a builder', { role: 'agent_a', permissions: ['ask'] }],
    ['an unknown scope', { role: 'agent_a', scopes: ['root'] }],
    ['a scope named twice', { role: 'agent_a', scopes: ['read_task', 'read_task'] }],
    ['an unknown role', { role: 'agent_c' }],
  ])('refuses %s', (_what, faulty) => {
    given()
      .when('invite', faulty as { role: 'agent_a' }, 'owner')
      .thenFails('INVALID_INPUT');
  });

  test('refuses to invite a moderator if the owner admits none, and names the call that admits them', () => {
    const refusal = given([entitled(false)])
      .when('invite', { role: 'moderator' }, 'owner')
      .refusal();
    expect(refusal).toMatchObject({
      error: 'MODERATOR_NOT_ENTITLED',
      message:
        'You do not admit moderators. Call setModeratorEntitlement with entitled: true, then invite the moderator again.',
    });
    given([entitled(false)])
      .when('invite', { role: 'agent_a' }, 'owner')
      .reply();
    given([entitled(false), entitled(true)])
      .when('invite', { role: 'moderator' }, 'owner')
      .reply();
  });

  test('reports the end of the session before the missing entitlement', () => {
    given([entitled(false), ended])
      .when('invite', { role: 'moderator' }, 'owner')
      .thenFails('INVALID_TRANSITION');
  });

  describeOwner('invite', { input: { role: 'agent_a' }, statuses: NOT_ENDED });
});
