import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';
import { confirmationOf } from '../../console/src/state/confirmation.ts';

test('a confirmation says what each agent has to do, and the next task of the owner', async () => {
  const { owner, agentA, sessionId } = await openSession();
  await agentA.call('post_turn', {
    summary: 'A turn.',
    questions: [
      { text: 'Which port?', to: 'owner', blocking: true },
      { text: 'Which host?', to: 'agent_b', blocking: true },
    ],
  });
  const view = await owner.view(sessionId);
  expect(confirmationOf('withdraw-intervention', { input: { intervention_id: 'i_1' } }, view)).toBe(
    'Withdrew i_1. Next: you: Answer q_1. Ben (agent_b): answer question q_2.',
  );
});

test('a confirmation names nobody in a paused session, and nothing more after the end', async () => {
  const { owner, sessionId } = await openSession();
  await owner.pause(sessionId, { reason: 'Lunch.' });
  expect(confirmationOf('pause', { input: {} }, await owner.view(sessionId))).toBe(
    'Paused the session. Next: nobody, until you resume the session.',
  );
  await owner.end(sessionId, { end_reason: 'CANCELLED', note: 'Enough.' });
  expect(confirmationOf('end', { input: {} }, await owner.view(sessionId))).toBe(
    'Ended the session. No agent can write to it any more.',
  );
  expect(confirmationOf('pause', { input: {} }, null)).toBe('Paused the session.');
});

test.each(['ask', 'direct', 'assignAction'] as const)(
  'the confirmation of %s names the agent that has no access',
  async (method) => {
    const { owner, sessionId } = await openSession();
    await owner.revoke(sessionId, { role: 'agent_b' });
    const text = 'Say which port.';
    const input =
      method === 'assignAction' ? { target: 'agent_b' as const, text } : { targets: ['agent_b' as const], text };
    const answer = await owner.call(method, sessionId, input);
    const operation = method === 'assignAction' ? 'assign-action' : method;
    expect(confirmationOf(operation, { input, answer }, await owner.view(sessionId))).toContain(
      ' Ben (agent_b) has no access: it reads this after it has joined.',
    );
  },
);
