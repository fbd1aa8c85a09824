import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { certified, decided, play, review, submit, submitted } from '../story.ts';

const input = { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'APPROVE' } as const;

const reviews = (past: readonly PastEvent[]) =>
  given(past)
    .when('get_final_plan', {}, 'agent_a')
    .reply()
    .reviews.map(({ by, revision_id, verdict, outdated }) => [by, revision_id, verdict, outdated]);

describe('submit_final_review', () => {
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

  test('replaces the earlier review of the same agent; the same review again stores nothing', () => {
    const past = play(certified, [review('agent_b', 'REQUEST_CHANGES')]);
    expect(reviews(past)).toEqual([
      ['agent_a', 'r_1', 'APPROVE', false],
      ['agent_b', 'r_1', 'REQUEST_CHANGES', false],
    ]);
    given(certified).when('submit_final_review', input, 'agent_b').thenEvents();
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

  describe('with findings', () => {
    const finding = { text: 'No rate limit.', blocking: false };

    test('raises the findings, closes others and stores the review, in one call', () => {
      const past = play(submitted, [['agent_b', 'submit_finding', { text: 'No timeout.' }]]);
      const both = { ...input, caveats: ['Watch the clocks.'], findings: [finding, { text: 'No retries.' }] };
      const call = { ...both, resolved: [{ finding_id: 'f_1', outcome: 'WITHDRAWN' as const }] };
      expect(given(past).when('submit_final_review', call, 'agent_b').reply()).toMatchObject({
        finding_ids: ['f_2', 'f_3'],
        certified: false,
      });
      const { findings } = given(play(past, [['agent_b', 'submit_final_review', call]]))
        .when('list_findings', {}, 'agent_b')
        .reply();
      expect(findings.map((one) => [one.finding_id, one.text, one.status, one.blocking])).toEqual([
        ['f_1', null, 'WITHDRAWN', true],
        ['f_2', 'No rate limit.', 'OPEN', false],
        ['f_3', 'No retries.', 'OPEN', true],
        ['f_4', 'Watch the clocks.', 'OPEN', false],
      ]);
    });

    test('stores nothing if the call is repeated', () => {
      const resolved = [{ finding_id: 'f_1', outcome: 'RESOLVED' as const }];
      const call = { ...input, findings: [finding], resolved };
      const before = play(submitted, [['agent_b', 'submit_finding', { text: 'No timeout.' }]]);
      const past = play(before, [['agent_b', 'submit_final_review', call]]);
      const repeated = given(past).when('submit_final_review', call, 'agent_b').thenEvents();
      expect(repeated.reply()).toMatchObject({ finding_ids: ['f_2'] });
    });

    test('stores nothing if one of the findings is refused', () => {
      const closes = (finding_id: string) => ({ ...input, resolved: [{ finding_id, outcome: 'RESOLVED' as const }] });
      given(submitted)
        .when('submit_final_review', { ...input, findings: [finding] }, 'agent_a')
        .thenFails('NOT_TECHNICAL_REVIEWER');
      given(submitted).when('submit_final_review', closes('f_9'), 'agent_b').thenFails('UNKNOWN_RECORD');
      const raisedByB = play(submitted, [['agent_b', 'submit_finding', { text: 'No timeout.' }]]);
      given(raisedByB).when('submit_final_review', closes('f_1'), 'agent_a').thenFails('NOT_RAISER');
    });
  });

  test('refuses an unknown revision', () => {
    given(decided)
      .when('submit_final_review', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_1' } });
  });
});
