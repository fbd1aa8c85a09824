import { describe, expect, test } from 'vitest';
import { botCall } from './bot.ts';
import { seen } from './seen.ts';
import { approved, by, finds, propose, type Story, split, submitted, tell } from './stages.ts';

const instructionTo = (role: 'agent_a' | 'agent_b', { world }: Story) => seen(world).state(role).instruction;
const tick = (story: Story): Story => {
  const action = seen(story.world)
    .state('agent_a')
    .pending_actions.find(({ type }) => type === 'RESPOND_FINDING');
  return tell(story, by('agent_a', 'complete_action', { action_id: action?.action_id }));
};

describe('the instruction of an agent that could otherwise wait', () => {
  test('names an open decision while the nominations differ and the other one is to speak', () => {
    const story = tell(split, by('agent_a', 'post_turn', { summary: 'A turn.' }));
    expect(instructionTo('agent_a', story)).toMatchObject({ tool: 'accept_decision' });
    expect(instructionTo('agent_a', tell(story, propose('agent_b', 'Cache', 'None')))).toMatchObject({
      tool: 'accept_decision',
    });
  });

  test.each([
    ['blocking, after the approval', tell(approved, finds('agent_b'))],
    [
      'not blocking, while reviews are due',
      tell(submitted, by('agent_b', 'submit_finding', { text: 'A word.', blocking: false })),
    ],
  ])('goes on naming a finding whose action was completed by hand: %s', (_what, story) => {
    let told = tick(story);
    for (let step = 0; step < 12; step += 1) {
      const call = botCall(seen(told.world), 'agent_a');
      if (call && call.name !== 'respond_finding') told = tell(told, call);
    }
    const { tool, text } = instructionTo('agent_a', told);
    expect(tool).toBe('respond_finding');
    expect(text).toMatch(/\bf_1\b/);
  });
});
