import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';

test('our agent posts its turn again after a lost answer', async () => {
  const { agentA, agentB } = await openSession();
  const turn = { request_id: 'turn-1', summary: 'We retry captures.' };

  const first = await agentA.call('post_turn', turn);
  const again = await agentA.call('post_turn', turn);

  expect(again).toEqual(first);
  await expect(agentA.call('post_turn', { summary: 'One more.' })).rejects.toMatchObject({ code: 'NOT_YOUR_TURN' });
  await expect(agentB.call('read_session_state')).resolves.toMatchObject({ your_turn: true, turn_index: 1 });
});
