import type { After } from '@parley/core/client';
import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';
import { confirmationOf } from '../../console/src/state/confirmation.ts';

const after = (answer: Readonly<Record<string, unknown>>): After => answer.after as After;

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
  const answer = await owner.act('withdrawIntervention', sessionId, { intervention_id: 'i_1' });
  expect(confirmationOf(after(answer))).toBe(
    'i_1 is withdrawn. No agent has to answer it or follow it any more. Next: you: Answer q_1. Ben (agent_b): post its turn.',
  );
});

test('a confirmation names nobody in a paused session, and nothing more after the end', async () => {
  const { owner, sessionId } = await openSession();
  expect(confirmationOf(after(await owner.act('pause', sessionId, { reason: 'Lunch.' })))).toBe(
    'The session is paused. Until you resume it, builders can only read, acknowledge and answer. Next: nobody, until you resume the session.',
  );
  const end = { end_reason: 'CANCELLED' as const, note: 'Enough.' };
  expect(confirmationOf(after(await owner.act('end', sessionId, end)))).toBe('The session is ended for good.');
});
