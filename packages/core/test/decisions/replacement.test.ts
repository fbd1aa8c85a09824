import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { proposed } from '../past.ts';

/** d_1 was superseded by d_2, and d_2 by d_3. */
const past = [
  proposed('agent_a', 'd_1', { position: 'PostgreSQL 15 in the same zone' }),
  proposed('agent_b', 'd_2', { position: 'PostgreSQL 16 in the same zone', revision: 2, supersedes: 'd_1' }),
  proposed('agent_b', 'd_3', { position: 'PostgreSQL 16 in two zones', revision: 3, supersedes: 'd_2' }),
];

const shown = (id: string) => given(past).when('records', { type: 'decision', id }, 'owner').reply();

describe('a superseded decision', () => {
  test('names the decision that replaced it, in view and in records', () => {
    const { decisions } = given(past).when('view', {}, 'owner').reply();
    expect(
      decisions.map(({ decision_id, supersedes, superseded_by }) => [decision_id, supersedes, superseded_by]),
    ).toEqual([
      ['d_1', null, 'd_2'],
      ['d_2', 'd_1', 'd_3'],
      ['d_3', 'd_2', undefined],
    ]);
    const { records } = given(past).when('records', { type: 'decision' }, 'owner').reply();
    expect(records.map(({ superseded_by }) => superseded_by)).toEqual(['d_2', 'd_3', undefined]);
  });

  test('shows the words in which the next decision differs, also if that one was superseded too', () => {
    const before = { from: 'd_1', to: 'd_2', words: 'PostgreSQL [-15 -]{+16 +}in the same zone' };
    const after = { from: 'd_2', to: 'd_3', words: 'PostgreSQL 16 in [-the same zone-]{+two zones+}' };
    expect(shown('d_1')).toMatchObject({
      records: [{ position: 'PostgreSQL 15 in the same zone', superseded_by: 'd_2' }],
      context: { changes: [before] },
    });
    expect(shown('d_2')).toMatchObject({ records: [{ superseded_by: 'd_3' }], context: { changes: [before, after] } });
    expect(shown('d_3').records[0]).not.toHaveProperty('superseded_by');
    expect(shown('d_3').context?.changes).toEqual([after]);
  });

  test('is shown to agents as before', () => {
    const { decisions } = given(past).when('list_decisions', { decision_id: 'd_1' }, 'agent_a').reply();
    expect(decisions[0]).not.toHaveProperty('superseded_by');
  });
});
