import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { onHold, stopped } from '../../moderation.ts';
import { asked } from '../../past.ts';
import { certified } from '../../story.ts';

describe('blockers', () => {
  describeOwner('blockers', { statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('are none for a certified revision', () => {
    expect(given(certified).when('blockers', {}, 'owner').reply()).toMatchObject({
      certified: true,
      latest_revision: {
        revision_id: 'r_1',
        content_hash: SAMPLE_HASH,
        title: 'Orders reserve stock',
        status: 'CERTIFIED',
      },
      blockers: [],
    });
  });

  test('are the same as for the agents', () => {
    const past = [...onHold, asked('agent_b', 'q_1', { to: 'owner', blocking: true })];
    const shown = given(past).when('blockers', {}, 'owner').reply();
    expect({ ...given(past).when('list_blockers', {}, 'agent_a').reply(), head: shown.head }).toEqual(shown);
    expect(shown.blockers.map(({ code, record, responsible }) => `${code} ${record.id} ${responsible}`)).toEqual([
      'QUESTION_UNANSWERED q_1 owner',
      'FINDING_UNANSWERED f_1 agent_a',
      'HOLD_ACTIVE h_1 moderator',
      'REVIEW_MISSING r_1/agent_b agent_b',
      'REVIEW_MISSING r_1/agent_a agent_a',
    ]);
  });

  test('name the owner where no moderator can act', () => {
    const { blockers } = given([...onHold, stopped])
      .when('blockers', {}, 'owner')
      .reply();
    expect(blockers.find(({ code }) => code === 'HOLD_ACTIVE')).toMatchObject({
      responsible: 'owner',
      resolution: { tool: 'releaseHold', payload: { hold_id: 'h_1', reason: '<your reason>' } },
    });
  });
});
