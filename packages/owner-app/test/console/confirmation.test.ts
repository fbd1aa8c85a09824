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
  expect(confirmationOf('withdraw-intervention', { intervention_id: 'i_1' }, view)).toBe(
    'Withdrew i_1. Next: you: Answer q_1. Ben (agent_b): answer question q_2.',
  );
});

test('a confirmation names nobody in a paused session, and nothing more after the end', async () => {
  const { owner, sessionId } = await openSession();
  await owner.pause(sessionId, { reason: 'Lunch.' });
  expect(confirmationOf('pause', {}, await owner.view(sessionId))).toBe(
    'Paused the session. Next: nobody, until you resume the session.',
  );
  await owner.end(sessionId, { end_reason: 'CANCELLED', note: 'Enough.' });
  expect(confirmationOf('end', {}, await owner.view(sessionId))).toBe(
    'Ended the session. No agent can write to it any more.',
  );
  expect(confirmationOf('pause', {}, null)).toBe('Paused the session.');
});
