import { describe, expect, test } from 'vitest';
import { ParleyError } from '../../src/index.ts';
import { given, openSession, type PastEvent, seenIn } from '../../src/testing/index.ts';
import { turnPosted } from '../past.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ParleyError ? error.code : String(error)),
  );

describe('the use of one agent does not reduce what the others need', () => {
  test('500 useless revisions of the author do not prevent the owner from appointing another author', async () => {
    const { agentA, agentB, owner, sessionId } = await openSession();
    await owner.appointAuthor(sessionId, { candidate: 'agent_a', seen: await seenIn(owner, sessionId) });
    const junk = (parent: number) => ({
      contract: {},
      expected_parent_id: parent === 0 ? '' : `r_${parent}`,
      reason: 'Junk.',
    });
    for (let parent = 0; parent < 500; parent += 1) await agentA.call('submit_contract', junk(parent));
    expect(await codeOf(agentA.call('submit_contract', junk(500)))).toBe('QUOTA_EXHAUSTED');
    const { state, waits } = await owner.view(sessionId);
    expect(state.instruction.tool).toBe('raiseQuota');
    expect(waits[0]).toMatchObject({ wait_id: 'QUOTA_EXHAUSTED:agent_a/revisions', blocking: true });
    await owner.appointAuthor(sessionId, { candidate: 'agent_b', seen: await seenIn(owner, sessionId) });
    await agentB.call('submit_contract', junk(500));
  });

  test('2,000 withdrawn findings of the reviewer do not prevent a hold of the moderator', async () => {
    const { agentB, moderator, owner, sessionId } = await openSession();
    await owner.appointAuthor(sessionId, { candidate: 'agent_a', seen: await seenIn(owner, sessionId) });
    for (let number = 1; number <= 2_000; number += 1) {
      await agentB.call('submit_finding', { text: 'Junk.' });
      await agentB.call('resolve_finding', { finding_id: `f_${number}`, outcome: 'WITHDRAWN' });
    }
    expect(await codeOf(agentB.call('submit_finding', { text: 'Junk.' }))).toBe('QUOTA_EXHAUSTED');
    const raised = await moderator.call('submit_moderator_finding', {
      category: 'PROCESS',
      text: 'The reviewer writes junk.',
      resolution_criteria: 'Another reviewer.',
      request_hold: true,
      hold_reason: 'Not like this.',
    });
    expect(raised.hold).toMatchObject({ hold_id: 'h_1', finding_id: 'f_2001', status: 'ACTIVE' });
  });

  test('16,000 events of one agent do not stop the others, and the owner can end the session', () => {
    const evidence: PastEvent = { kind: 'evidence.posted', actor: 'agent_a', data: { turn_index: 0, evidence: [] } };
    const session = given([turnPosted('agent_a', 0), ...Array.from({ length: 15_998 }, () => evidence)]);
    session
      .when('post_evidence', { evidence: [{ kind: 'file', reference: 'a.ts' }] }, 'agent_a')
      .thenFails('QUOTA_EXHAUSTED', { quota: 'events', used: 16_000, limit: 16_000 });
    session.when('post_turn', { summary: 'Mine.' }, 'agent_b').reply();
    session.when('ask_agent', { text: 'Why?' }, 'moderator').reply();
    session.when('raiseQuota', { role: 'agent_a', quota: 'events' }, 'owner').reply();
    session.when('end', { end_reason: 'CANCELLED' }, 'owner').reply();
  });
});
