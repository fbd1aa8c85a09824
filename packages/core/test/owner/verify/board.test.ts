import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { releasable } from '../../story.ts';

describe('board', () => {
  describeOwner('board', { past: releasable, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('is the board of the agents without next actions, with all members of passed scenarios', () => {
    const seen = given(releasable).when('verify_board', {}, 'agent_a').reply();
    const shown = given(releasable).when('board', {}, 'owner').reply();
    expect(shown.agents.map(({ role, name, commit_url }) => [role, name, commit_url])).toEqual([
      ['agent_a', 'Ada', null],
      ['agent_b', 'Ben', null],
    ]);
    expect(shown).toEqual({
      ...seen,
      head: shown.head,
      agents: shown.agents,
      approvals: shown.approvals,
      workflows: [],
      scenarios: shown.scenarios,
      next_actions: [],
    });
    expect(shown.approvals.map(({ stage }) => stage)).toEqual(['approval', 'build']);
    expect(shown.certification.certified).toBe(true);
    expect(seen.scenarios.map(({ passed }) => passed)).toEqual([
      { attempt: 1, evidence_count: 2 },
      { attempt: 1, evidence_count: 2 },
    ]);
    const shownItems = shown.scenarios.map(({ title, attempts }) => [
      title,
      ...attempts.map(({ evidence, evidence_count }) => [evidence.length, evidence_count]),
    ]);
    expect(shownItems).toEqual([
      ['An order reserves stock', [2, 2]],
      ['A reservation ends', [2, 2]],
    ]);
  });
});
