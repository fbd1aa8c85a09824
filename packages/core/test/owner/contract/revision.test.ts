import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { play, submit, submitted } from '../../story.ts';

const LATER = changed({ title: 'Stock is reserved' });
const past = play(submitted, [submit('r_1', LATER)]);
const read = (revision_id: string) => given(past).when('revision', { revision_id }, 'owner');

describe('revision', () => {
  describeOwner('revision', {
    past,
    input: { revision_id: 'r_1' },
    statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'],
  });

  test('returns an earlier revision in full, as it was', () => {
    const { contract, markdown, ...fields } = read('r_1').reply();
    expect(fields).toEqual({
      revision_id: 'r_1',
      parent_id: null,
      content_hash: 'a0e78497c362cc691f786db5dc2a5ff0294103370e3f4d49f5b8d2e63b9291c5',
      bytes: 2883,
      author: 'agent_a',
      created_at: '2026-01-05T09:00:00.000Z',
      reason: 'As decided.',
      title: 'Orders reserve stock',
    });
    expect(contract).toEqual(SAMPLE_CONTRACT);
    expect(markdown).toMatch(/^# Orders reserve stock\n/);
  });

  test('returns the latest revision as the agents read it', () => {
    const { contract, markdown, revision_id, parent_id } = read('r_2').reply();
    const plan = given(past).when('get_final_plan', {}, 'agent_b').reply();
    expect({ revision_id, parent_id }).toEqual({ revision_id: 'r_2', parent_id: 'r_1' });
    expect(contract).toEqual(LATER);
    expect({ contract, markdown }).toEqual({ contract: plan.contract, markdown: plan.markdown });
  });

  test('returns a revision that breaks the schema, with a text for each fault', () => {
    const broken = play(submitted, [submit('r_1', { title: 7 }), submit('r_2')]);
    const { contract, markdown, title } = given(broken).when('revision', { revision_id: 'r_2' }, 'owner').reply();
    expect({ contract, title }).toEqual({ contract: { title: 7 }, title: '' });
    expect(markdown).toContain('breaks its schema');
  });

  test.each(['r_3', 'r_30'])('refuses the unknown revision %s', (revision_id) => {
    read(revision_id).thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: revision_id } });
  });

  test.each(['', 'r_0', 'd_1', '__proto__'])('refuses %j, which is not a revision id', (revision_id) => {
    read(revision_id).thenFails('INVALID_INPUT');
  });

  test('refuses an id before the first revision', () => {
    given()
      .when('revision', { revision_id: 'r_1' }, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_1' } });
  });
});
