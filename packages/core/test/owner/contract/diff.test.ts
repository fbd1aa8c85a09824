import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { play, submit, submitted } from '../../story.ts';

/** r_2 changes the title. r_3 changes the title again, and the fixture version. */
const past = play(submitted, [
  submit('r_1', changed({ title: 'Stock is reserved' })),
  submit('r_2', changed({ title: 'Stock is held', fixture_version: '2' })),
]);
const diff = (revision_id: string, against?: string) =>
  given(past).when('diff', against === undefined ? { revision_id } : { revision_id, against }, 'owner');
const ops = (revision_id: string, against?: string) => diff(revision_id, against).reply().ops;

describe('diff', () => {
  describeOwner('diff', {
    past,
    input: { revision_id: 'r_3', against: 'r_1' },
    statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'],
  });

  test('compares a revision with its parent', () => {
    expect(ops('r_2')).toEqual([{ op: 'replace', path: '/title', value: 'Stock is reserved' }]);
    const { base, ...shown } = diff('r_2').reply();
    expect(shown).toEqual(given(past).when('get_revision_diff', { revision_id: 'r_2' }, 'agent_a').reply());
    expect(base).toEqual({ revision_id: 'r_1', content_hash: shown.parent_content_hash });
  });

  test('compares the first revision with an empty contract', () => {
    const { parent_content_hash, base, text } = diff('r_1').reply();
    expect({ parent_content_hash, base }).toEqual({ parent_content_hash: null, base: null });
    expect(ops('r_1').map(({ op, path }) => `${op} ${path}`)).toEqual(
      Object.keys(SAMPLE_CONTRACT)
        .toSorted()
        .map((member) => `add /${member}`),
    );
    expect(text).toMatch(/^--- empty\n\+\+\+ r_1\n/);
  });

  test('can skip revisions in between', () => {
    const { revision_id, parent_id, parent_content_hash, base, text } = diff('r_3', 'r_1').reply();
    expect({ revision_id, parent_id, base: base?.revision_id }).toEqual({
      revision_id: 'r_3',
      parent_id: 'r_2',
      base: 'r_1',
    });
    expect(base?.content_hash).not.toBe(parent_content_hash);
    expect(ops('r_3', 'r_1')).toEqual([
      { op: 'replace', path: '/fixture_version', value: '2' },
      { op: 'replace', path: '/title', value: 'Stock is held' },
    ]);
    expect(text).toMatch(/^--- r_1\n\+\+\+ r_3\n/);
    expect(text).toContain('-# Orders reserve stock\n+# Stock is held\n');
  });

  test('goes backwards', () => {
    expect(ops('r_1', 'r_3')).toEqual([
      { op: 'replace', path: '/fixture_version', value: '1' },
      { op: 'replace', path: '/title', value: 'Orders reserve stock' },
    ]);
  });

  test('is empty for a revision and itself', () => {
    const { ops: none, text, truncated } = diff('r_2', 'r_2').reply();
    expect({ none, text, truncated }).toEqual({ none: [], text: '', truncated: false });
  });

  test.each([
    ['r_4', undefined, 'r_4'],
    ['r_4', 'r_1', 'r_4'],
    ['r_1', 'r_5', 'r_5'],
    ['r_4', 'r_5', 'r_4'],
  ])('of %s against %s names %s as the unknown revision', (revision_id, against, id) => {
    diff(revision_id, against).thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id } });
  });

  test('refuses a text that is no revision id', () => {
    diff('r_1', 'latest').thenFails('INVALID_INPUT');
  });
});
