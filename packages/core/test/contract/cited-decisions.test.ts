import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed } from '../past.ts';
import { decided, play, submit } from '../story.ts';
import { changed } from './sample-contract.ts';

/** d_2 is superseded by d_3, and d_3 by d_4, which is RESOLVED. */
const superseded = [
  ...decided,
  proposed('agent_a', 'd_2', { topic: 'Lists', position: 'Pages have 20 entries.' }),
  proposed('agent_b', 'd_3', { topic: 'Lists', position: 'Pages have 30 entries.', revision: 2, supersedes: 'd_2' }),
  proposed('agent_a', 'd_4', { topic: 'Lists', position: 'Pages have 50 entries.', revision: 3, supersedes: 'd_3' }),
  accepted('agent_a', 'd_4'),
  accepted('agent_b', 'd_4'),
];
const contract = changed({
  summary: 'Lists have pages (d_2, d_2), not x-d_3 or d_33 of d_1.',
  decisions: ['d_1', 'd_4'],
});

const WARNING = {
  code: 'INACTIVE_DECISION_CITED',
  severity: 'warning',
  pointer: '/summary',
  message: 'This text cites decision d_2, which is SUPERSEDED; d_4 replaced it.',
  hint: 'Cite the decision that holds now, and check that the text still agrees with it.',
};

describe('a contract text that cites a superseded decision', () => {
  test('causes one warning in a draft, which stays valid', () => {
    const found = given(superseded).when('validate_contract_draft', { contract }, 'agent_a').reply();
    expect(found).toMatchObject({ valid: true, errors: [], error_count: 0, warnings: [WARNING], warning_count: 1 });
  });

  test('causes a warning of the revision, computed from the current status of the decisions', () => {
    const cites = changed({ summary: 'Lists have pages (d_2).', decisions: ['d_1', 'd_2'] });
    const resolved = [
      ...decided,
      proposed('agent_a', 'd_2', { topic: 'Lists', position: 'Pages have 20 entries.' }),
      accepted('agent_a', 'd_2'),
      accepted('agent_b', 'd_2'),
    ];
    const stored = play(resolved, [submit('', cites)]);
    const warnings = (past: typeof stored) =>
      given(past).when('revalidate_contract', { revision_id: 'r_1' }, 'agent_b').reply().warnings;
    expect(warnings(stored)).toEqual([]);
    const later = proposed('agent_b', 'd_3', { topic: 'Lists', position: 'Ten.', revision: 2, supersedes: 'd_2' });
    expect(warnings([...stored, later])).toEqual([
      { ...WARNING, message: 'This text cites decision d_2, which is SUPERSEDED; d_3 replaced it.' },
    ]);
  });
});
