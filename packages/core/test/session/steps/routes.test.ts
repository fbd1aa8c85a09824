import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { taken } from '../../moderation.ts';
import { decided, submitted } from '../../story.ts';

describe('the route beside a tool', () => {
  test('is part of an instruction', () => {
    expect(given(decided).when('read_session_state', {}, 'agent_a').reply().instruction).toMatchObject({
      tool: 'submit_contract',
      route: 'POST contract',
    });
    expect(given(taken([])).when('read_session_state', {}, 'moderator').reply().instruction).toMatchObject({
      tool: 'wait_for_activity',
      route: 'GET events?wait=25',
    });
  });

  test('is part of the resolution of a blocker', () => {
    const { blockers } = given(submitted).when('list_blockers', {}, 'agent_a').reply();
    expect(blockers.map(({ resolution: { tool, route } }) => ({ tool, route }))).toEqual([
      { tool: 'submit_final_review', route: 'POST final-review' },
      { tool: 'submit_final_review', route: 'POST final-review' },
    ]);
  });

  test('is left out for an operation of the owner', () => {
    const { instruction } = given(submitted).when('view', {}, 'owner').reply().state;
    expect(instruction).not.toHaveProperty('route');
  });
});
