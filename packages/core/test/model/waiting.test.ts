import { describe, expect, test } from 'vitest';
import { botCall } from './bot.ts';
import { seen } from './seen.ts';
import {
  answers,
  approved,
  by,
  certified,
  finds,
  judges,
  moderates,
  propose,
  STARTS,
  type Story,
  split,
  submitted,
  tell,
} from './starting-states.ts';

const instructionTo = (role: 'agent_a' | 'agent_b', { world }: Story) => seen(world).state(role).instruction;
const tick = (story: Story): Story => {
  const action = seen(story.world)
    .state('agent_a')
    .pending_actions.find(({ type }) => type === 'RESPOND_FINDING');
  return tell(story, by('agent_a', 'complete_action', { action_id: action?.action_id }));
};

describe('the instruction of an agent that could otherwise wait', () => {
  test('names an open decision while the nominations differ and the other builder has the turn', () => {
    const story = tell(split, by('agent_a', 'post_turn', { summary: 'A turn.' }));
    expect(instructionTo('agent_a', story)).toMatchObject({ tool: 'wait_for_my_turn' });
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
  ])('still names a finding whose action was completed by a call: %s', (_what, story) => {
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

describe('the instruction of a moderator', () => {
  const read = (story: Story): Story => {
    const moderator = seen(story.world).moderator();
    const cursor = moderator.refused === null ? moderator.status.head : 0;
    return tell(story, by('moderator', 'ack_events', { cursor }));
  };
  const told = (story: Story) => {
    const moderator = seen(read(story).world).moderator();
    return moderator.refused === null ? moderator.state.instruction : null;
  };

  test('names its hold once nothing else stops the certification', () => {
    const { heldLoosely } = STARTS;
    if (!heldLoosely) throw new Error('The start is missing.');
    const reviewed = tell(heldLoosely, judges('APPROVE'));
    expect(told(reviewed)).toMatchObject({ tool: 'release_hold', text: expect.stringContaining('h_1') });
  });

  test('names each response to its findings, even if two came at the same time and it completed the action for the first', () => {
    const answered = tell(submitted, moderates(), answers('agent_a'), answers('agent_b'));
    const idsOf = ({ world }: Story) =>
      seen(world)
        .view()
        .actions.filter(({ type, status }) => type === 'ASSESS_RESPONSE' && status === 'PENDING')
        .map(({ action_id }) => action_id);
    const [first] = idsOf(answered);
    const ticked = tell(answered, by('moderator', 'complete_action', { action_id: first }));
    expect(idsOf(ticked)).toEqual([]);
    const again = tell(
      ticked,
      by('agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'Mended.' }),
    );
    expect(idsOf(again)).toHaveLength(1);
  });

  test('is to wait while another role blocks the certification too', () => {
    const held = tell(certified, moderates('Not without a rollback.'));
    expect(told(held)).toMatchObject({ tool: 'wait_for_activity' });
  });
});
