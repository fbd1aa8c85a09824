import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeOwner } from '../gates.ts';
import { releasable } from '../story.ts';

describe('board', () => {
  describeOwner('board', { past: releasable, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('is the board of the agents without next actions, with the evidence of passed scenarios', () => {
    const seen = given(releasable).when('verify_board', {}, 'agent_a').reply();
    const shown = given(releasable).when('board', {}, 'owner').reply();
    expect(shown).toEqual({ ...seen, scenarios: shown.scenarios, next_actions: [] });
    expect(shown.certification.certified).toBe(true);
    const itemsOf = (board: typeof shown) =>
      board.scenarios.flatMap(({ attempts }) =>
        attempts.map(({ evidence, evidence_count }) => [evidence.length, evidence_count]),
      );
    expect(itemsOf(seen)).toEqual([
      [0, 2],
      [0, 2],
    ]);
    expect(itemsOf(shown)).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });
});
