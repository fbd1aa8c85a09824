import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_HASH } from '../contract/sample-contract.ts';
import { describeWrite } from '../describe-access.ts';
import { certified, decided, play, review, submit, submitted } from '../story.ts';

const input = { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'APPROVE' } as const;

const reviews = (past: readonly PastEvent[]) =>
  given(past)
    .when('get_final_plan', {}, 'agent_a')
    .reply()
    .reviews.map(({ by, revision_id, verdict, outdated }) => [by, revision_id, verdict, outdated]);

describe('submit_final_review', () => {
  describeWrite('submit_final_review', { past: submitted, input, scope: 'submit_final_review', phases: ['CONTRACT'] });

  test('keeps the verdict on exactly this revision and hash', () => {
    given(submitted)
      .when('submit_final_review', { ...input, caveats: ['Watch the clocks.'] }, 'agent_b')
      .thenReply({
        reviews: [
          {
            by: 'agent_b',
            revision_id: 'r_1',
            content_hash: SAMPLE_HASH,
            verdict: 'APPROVE',
            outdated: false,
            submitted_at: '2026-01-05T09:01:00.000Z',
          },
        ],
        certified: false,
        blockers: 1,
      });
  });

  test('certifies with the second approval when nothing else blocks', () => {
    const past = play(submitted, [review('agent_a')]);
    expect(given(past).when('submit_final_review', input, 'agent_b').reply()).toMatchObject({
      certified: true,
      blockers: 0,
    });
  });

  test('replaces the earlier review of the same agent; the same review again stores nothing', () => {
    const past = play(certified, [review('agent_b', 'REQUEST_CHANGES')]);
    expect(reviews(past)).toEqual([
      ['agent_a', 'r_1', 'APPROVE', false],
      ['agent_b', 'r_1', 'REQUEST_CHANGES', false],
    ]);
    given(certified).when('submit_final_review', input, 'agent_b').thenEvents();
  });

  test('is shown as historical, with its revision, once there is a newer revision', () => {
    const past = play(certified, [submit('r_1', changed({ summary: 'Shorter.' }))]);
    expect(reviews(past)).toEqual([
      ['agent_a', 'r_1', 'APPROVE', true],
      ['agent_b', 'r_1', 'APPROVE', true],
    ]);
    expect(given(past).when('list_blockers', {}, 'agent_a').reply()).toMatchObject({
      certified: false,
      blockers: [{ code: 'REVIEW_MISSING' }, { code: 'REVIEW_MISSING' }],
    });
  });

  test('refuses an earlier revision and names the latest', () => {
    const past = play(submitted, [submit('r_1')]);
    given(past)
      .when('submit_final_review', input, 'agent_b')
      .thenFails('STALE_REVISION', { latest_revision_id: 'r_2', latest_content_hash: SAMPLE_HASH });
  });

  test('refuses another hash without naming the right one', () => {
    given(submitted)
      .when('submit_final_review', { ...input, content_hash: 'f'.repeat(64) }, 'agent_b')
      .thenFails('HASH_MISMATCH', { revision_id: 'r_1' });
  });

  test('refuses an unknown revision', () => {
    given(decided)
      .when('submit_final_review', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_1' } });
  });
});
