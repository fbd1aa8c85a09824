import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_HASH } from '../contract/sample-contract.ts';
import { judges } from '../moderation.ts';
import { decided, play, submit, submitted } from '../story.ts';

const input = {
  revision_id: 'r_1',
  content_hash: SAMPLE_HASH,
  verdict: 'APPROVE',
  summary: 'Sound.',
  dimensions: [{ name: 'testability', score: 4, note: 'No test of the errors.' }],
} as const;
const judge = (changes: Readonly<Record<string, unknown>> = {}, past: readonly PastEvent[] = submitted) =>
  given(past).when('submit_contract_review', { ...input, ...changes } as never, 'moderator');
const judged = (past: readonly PastEvent[]) =>
  given(past)
    .when('get_contract_review', {}, 'moderator')
    .reply()
    .reviews.map(({ revision_id, verdict, outdated }) => [revision_id, verdict, outdated]);

/** The moderator approved r_1. Then r_2 was submitted with another title. */
const revised = play(submitted, [judges('APPROVE'), submit('r_1', changed({ title: 'Another' }))]);

describe('submit_contract_review', () => {
  test('keeps the verdict on exactly this revision and hash', () => {
    expect(judge().events()[0]).toEqual({ kind: 'moderator_review.submitted', actor: 'moderator', data: input });
    judge().thenReply({ review: { revision_id: 'r_1', verdict: 'APPROVE', outdated: false } });
  });

  test('refuses a revision that is not the latest', () => {
    expect(judge({}, revised).refusal()).toMatchObject({ error: 'STALE_REVISION', latest_revision_id: 'r_2' });
  });

  test('refuses another hash', () => {
    judge({ content_hash: 'f'.repeat(64) }).thenFails('HASH_MISMATCH', { revision_id: 'r_1' });
    judge({ revision_id: 'r_2' }, revised).thenFails('HASH_MISMATCH', { revision_id: 'r_2' });
  });

  test.each([
    ['there is none', decided, 'r_1'],
    ['it is unknown', submitted, 'r_2'],
  ])('refuses a revision if %s', (_what, past, revision_id) => {
    judge({ revision_id }, past).thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: revision_id } });
  });

  test('stores nothing for the same review again', () => {
    const past = play(submitted, [['moderator', 'submit_contract_review', input]]);
    expect(judge({}, past).thenEvents().reply().review).toMatchObject({ revision_id: 'r_1', verdict: 'APPROVE' });
  });

  test.each([
    ['verdict', { verdict: 'REQUEST_CHANGES' }],
    ['summary', { summary: 'Sound, mostly.' }],
    ['dimensions', { dimensions: [] }],
    ['score', { dimensions: [{ name: 'testability', score: 3, note: 'No test of the errors.' }] }],
  ])('replaces the earlier one when the %s differs', (_what, changes) => {
    const past = play(submitted, [['moderator', 'submit_contract_review', input]]);
    judge(changes, past).events();
    const later = play(past, [['moderator', 'submit_contract_review', { ...input, ...changes }]]);
    const { reviews } = given(later).when('get_contract_review', {}, 'moderator').reply();
    expect(reviews).toMatchObject([{ ...input, ...changes }]);
  });

  test.each(['COMMENT', 'APPROVE'] as const)('%s takes a request for changes back', (verdict) => {
    const blockers = (past: readonly PastEvent[]) =>
      given(past)
        .when('list_blockers', {}, 'agent_a')
        .reply()
        .blockers.map(({ code }) => code);
    const objected = play(submitted, [judges('REQUEST_CHANGES')]);
    expect(blockers(objected)).toContain('MODERATOR_REVIEW_REQUESTS_CHANGES');
    const replaced = play(objected, [judges(verdict)]);
    expect(blockers(replaced)).not.toContain('MODERATOR_REVIEW_REQUESTS_CHANGES');
    expect(judged(replaced)).toEqual([['r_1', verdict, false]]);
  });

  test('accepts 20 dimensions, a score from 1 to 5, and no score', () => {
    const dimensions = Array.from({ length: 20 }, (_, index) => ({
      name: `dimension ${index}`,
      score: (index % 5) + 1,
    }));
    expect(judge({ dimensions }).events()[0]).toMatchObject({ data: { dimensions } });
    expect(judge({ dimensions: [] }).events()[0]).toMatchObject({ data: { dimensions: [] } });
  });

  const dimension = { name: 'testability', score: 3 };
  test.each([
    ['verdict', 'of another name', { verdict: 'REJECT' }],
    ['summary', 'blank', { summary: ' ' }],
    ['summary', 'too long', { summary: 'x'.repeat(4_001) }],
    ['dimensions', 'left out', { dimensions: undefined }],
    ['dimensions', 'too many', { dimensions: Array.from({ length: 21 }, (_, n) => ({ name: `d${n}`, score: 3 })) }],
    ['dimensions', 'doubled', { dimensions: [dimension, { ...dimension, score: 4 }] }],
    ['dimensions[0].score', 'below 1', { dimensions: [{ ...dimension, score: 0 }] }],
    ['dimensions[0].score', 'above 5', { dimensions: [{ ...dimension, score: 6 }] }],
    ['dimensions[0].score', 'between two', { dimensions: [{ ...dimension, score: 2.5 }] }],
    ['dimensions[0].name', 'blank', { dimensions: [{ ...dimension, name: '' }] }],
    ['dimensions[0].name', 'too long', { dimensions: [{ ...dimension, name: 'x'.repeat(101) }] }],
    ['dimensions[0].note', 'too long', { dimensions: [{ ...dimension, note: 'x'.repeat(1_001) }] }],
    ['dimensions[0].weight', 'not known', { dimensions: [{ ...dimension, weight: 1 }] }],
  ])('refuses %s that is %s', (path, _what, changes) => {
    const { error, issues } = judge(changes).refusal();
    expect({ error, issues }).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path }] });
  });
});

describe('get_contract_review', () => {
  test('is empty if nothing was reviewed', () => {
    given(submitted).when('get_contract_review', {}, 'moderator').thenReply({ reviews: [] });
    given(submitted).when('get_contract_review', { revision_id: 'r_1' }, 'moderator').thenReply({ reviews: [] });
  });

  test('marks a review outdated once a newer revision exists', () => {
    expect(judged(revised)).toEqual([['r_1', 'APPROVE', true]]);
  });

  test('lists one review for each revision, oldest first', () => {
    const same = play(submitted, [judges('REQUEST_CHANGES'), submit('r_1'), judges('COMMENT', 'r_2')]);
    expect(judged(same)).toEqual([
      ['r_1', 'REQUEST_CHANGES', true],
      ['r_2', 'COMMENT', false],
    ]);
    const { reviews } = given(same).when('get_contract_review', { revision_id: 'r_1' }, 'moderator').reply();
    expect(reviews).toMatchObject([{ revision_id: 'r_1', verdict: 'REQUEST_CHANGES', outdated: true }]);
  });

  test('marks a review outdated once the owner sent its revision back', () => {
    const past = play(submitted, [judges('APPROVE'), ['owner', 'requestChanges', { reason: 'Name the error.' }]]);
    expect(judged(past)).toEqual([['r_1', 'APPROVE', true]]);
  });

  test('refuses an unknown revision', () => {
    given(submitted)
      .when('get_contract_review', { revision_id: 'r_2' }, 'moderator')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_2' } });
  });
});
