import { describe, expect, test } from 'vitest';
import { given, openSession } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';

const revoked = { kind: 'access.revoked', actor: 'owner', data: { role: 'agent_a' } } as const;

describe('revoke', () => {
  test('ends the token of a role', () => {
    given()
      .when('revoke', { role: 'agent_a' }, 'owner')
      .thenEvents(revoked)
      .thenReply({ role: 'agent_a', revoked: true });
  });

  test('stores nothing if there is no access', () => {
    given([revoked])
      .when('revoke', { role: 'agent_a' }, 'owner')
      .thenEvents()
      .thenReply({ role: 'agent_a', revoked: true });
  });

  test('cancels the open invitation too', async () => {
    const { owner, sessionId, parley } = await openSession();
    const { code } = await owner.invite(sessionId, { role: 'agent_a' });
    const answer = await owner.revoke(sessionId, { role: 'agent_a' });
    expect(answer).toEqual({ role: 'agent_a', revoked: true, cancelled: { code_prefix: code.slice(0, 10) } });
    expect((await owner.revoke(sessionId, { role: 'agent_a' })).cancelled).toBeUndefined();
    await expect(parley.redeem({ code })).rejects.toMatchObject({ code: 'INVITATION_INVALID' });
  });

  test('names the person who made the open invitation that it cancels', async () => {
    const { owner, sessionId, parley } = await openSession();
    const olga = { id: 'p_o', name: 'Olga', role: 'operator' } as const;
    const { code } = await parley.owner('owner-1', { person: olga }).invite(sessionId, { role: 'agent_a' });
    const { cancelled } = await owner.revoke(sessionId, { role: 'agent_a' });
    expect(cancelled).toEqual({ code_prefix: code.slice(0, 10), invited_by: 'p_o' });
  });

  describeOwner('revoke', { input: { role: 'agent_a' }, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
