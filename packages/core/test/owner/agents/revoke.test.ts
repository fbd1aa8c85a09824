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

  test('refuses the token from then on, but not the token of the other agent', async () => {
    const { owner, sessionId, agentA, agentB } = await openSession();
    await owner.revoke(sessionId, { role: 'agent_a' });
    await expect(agentA.call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await expect(agentB.call('read_task')).resolves.toMatchObject({ your_role: 'agent_b' });
  });

  test('cancels the open invitation too', async () => {
    const { owner, sessionId, parley } = await openSession();
    const { code } = await owner.invite(sessionId, { role: 'agent_a' });
    await owner.revoke(sessionId, { role: 'agent_a' });
    await expect(parley.redeem({ code })).rejects.toMatchObject({ code: 'INVITATION_INVALID' });
  });

  describeOwner('revoke', { input: { role: 'agent_a' }, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
