import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeOwner } from '../gates.ts';
import { releasable } from '../story.ts';

describe('board', () => {
  describeOwner('board', { past: releasable, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('is what the agents see, without next actions', () => {
    const seen = given(releasable).when('verify_board', {}, 'agent_a').reply();
    const shown = given(releasable).when('board', {}, 'owner').reply();
    expect(shown).toEqual({ ...seen, next_actions: [] });
    expect(shown.certification.certified).toBe(true);
    expect(shown.scenarios.flatMap(({ attempts }) => attempts.flatMap(({ evidence }) => evidence))).toHaveLength(4);
  });
});
