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
  await owner.direct(sessionId, { targets: ['agent_b'], text: 'Use port 80.' });
  const input = { intervention_id: 'i_1' };
  const answer = await owner.withdrawIntervention(sessionId, input);
  expect(confirmationOf('withdrawIntervention', { input, answer, view: await owner.view(sessionId) })).toBe(
    'Withdrew i_1. Next: you: Answer q_1. Ben (agent_b): answer question q_2.',
  );
});

test('a confirmation names nobody in a paused session, and nothing more after the end', async () => {
  const { owner, sessionId } = await openSession();
  const pause = { reason: 'Lunch.' };
  const paused = await owner.pause(sessionId, pause);
  expect(confirmationOf('pause', { input: pause, answer: paused, view: await owner.view(sessionId) })).toBe(
    'Paused the session. Next: nobody, until you resume the session.',
  );
  const end = { end_reason: 'CANCELLED' as const, note: 'Enough.' };
  const ended = await owner.end(sessionId, end);
  expect(confirmationOf('end', { input: end, answer: ended, view: await owner.view(sessionId) })).toBe(
    'Ended the session. No agent can write to it any more.',
  );
  expect(confirmationOf('pause', { input: pause, answer: paused, view: null })).toBe('Paused the session.');
});

test.each(['ask', 'direct'] as const)('the confirmation of %s names the agent that has no access', async (name) => {
  const { owner, sessionId } = await openSession();
  await owner.revoke(sessionId, { role: 'agent_b' });
  const input = { targets: ['agent_b' as const], text: 'Say which port.' };
  const answer = await owner[name](sessionId, input);
  expect(confirmationOf(name, { input, answer, view: await owner.view(sessionId) })).toContain(
    ' Ben (agent_b) has no access: it reads this after it has joined.',
  );
});

test('the confirmation of assignAction names the agent that has no access', async () => {
  const { owner, sessionId } = await openSession();
  await owner.revoke(sessionId, { role: 'agent_b' });
  const input = { target: 'agent_b' as const, text: 'Say which port.' };
  const answer = await owner.assignAction(sessionId, input);
  expect(confirmationOf('assignAction', { input, answer, view: await owner.view(sessionId) })).toContain(
    ' Ben (agent_b) has no access: it reads this after it has joined.',
  );
});
