import { describe, expect, test } from 'vitest';
import { given } from '../src/testing/index.ts';
import { SAMPLE_HASH, SAMPLE_MAPPINGS, UNNAMED } from './contract/sample-contract.ts';
import { actionAcknowledged, turnPosted } from './past.ts';
import { approved, decided, play, receipts, received, review, rightReport, submit, submitted } from './story.ts';

const messageOf = ({ message }: { readonly message: string }): string => message;

describe('a refusal of one thing', () => {
  test('one thing blocks an approval', () => {
    const past = play(submitted, [review('agent_a')]);
    const approving = given(past).when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner');
    expect(messageOf(approving.refusal())).toBe('r_1 is not certified: 1 blocker prevents certification.');
    const two = given(submitted).when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner');
    expect(messageOf(two.refusal())).toBe('r_1 is not certified: 2 blockers prevent certification.');
  });

  test('one artifact lacks a receipt', () => {
    const report = { ...rightReport(received, 'agent_b') };
    const past = play(approved, receipts(approved, 'agent_b').slice(0, -1));
    expect(messageOf(given(past).when('submit_readiness', report, 'agent_b').refusal())).toBe(
      'You have not confirmed 1 of your artifacts.',
    );
    expect(messageOf(given(approved).when('submit_readiness', report, 'agent_b').refusal())).toBe(
      'You have not confirmed 2 of your artifacts.',
    );
  });

  test('one readiness question is not answered', () => {
    const { answers, ...report } = rightReport(received, 'agent_a');
    const without = (count: number) =>
      given(received)
        .when('submit_readiness', { ...report, answers: answers.slice(count) }, 'agent_a')
        .refusal();
    expect(messageOf(without(1))).toBe('1 readiness question is not answered.');
    expect(messageOf(without(2))).toBe('2 readiness questions are not answered.');
  });

  test('one part of a preflight does not fit', () => {
    const [first] = SAMPLE_MAPPINGS;
    const unmapped = play(decided, [submit('', UNNAMED)]);
    const submitting = given(unmapped).when('submit_preflight', { mappings: first ? [first] : [] } as never, 'agent_a');
    expect(messageOf(submitting.refusal())).toBe('The preflight is refused because of 1 fault; see `issues`.');
    expect(messageOf(given(unmapped).when('submit_preflight', { mappings: [] }, 'agent_a').refusal())).toBe(
      'The preflight is refused because of 2 faults; see `issues`.',
    );
  });
});

test('the next step names one artifact that lacks a receipt', () => {
  const past = [...approved, actionAcknowledged('agent_a', 'act_3')];
  expect(given(past).when('read_session_state', {}, 'agent_a').reply().instruction.text).toBe(
    'You have not confirmed 1 of your artifacts. Call fetch_artifact for those whose content you do not have, then confirm all of them in one call of confirm_receipt, or in receipts of submit_readiness.',
  );
});

test('a session of one round has no turn left after it', () => {
  const posting = given([turnPosted('agent_a', 0), turnPosted('agent_b', 1)], { session: { round_limit: 1 } }).when(
    'post_turn',
    { summary: 'Three.' },
    'agent_a',
  );
  expect(messageOf(posting.refusal())).toBe('No turn is left: 1 of 1 rounds are used.');
});
