import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { granted, stopped, taken } from '../moderation.ts';
import { proposed } from '../past.ts';
import { type Call, play, review, submit, submitted } from '../story.ts';

type Role = 'agent_a' | 'agent_b' | 'moderator';

const stateOf = (past: readonly PastEvent[], role: Role) => given(past).when('read_session_state', {}, role).reply();
const step = (past: readonly PastEvent[], role: Role): string => stateOf(past, role).instruction.text;
const toolOf = (past: readonly PastEvent[], role: Role) => stateOf(past, role).instruction.tool;
const actionsOf = (past: readonly PastEvent[], role: Role): string[] =>
  stateOf(past, role).pending_actions.map(({ type, status }) => `${type} ${status}`);

const judged: Call = [
  'moderator',
  'submit_contract_review',
  { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'COMMENT', summary: 'Read.', dimensions: [] },
];
/** Open proposals, which the moderator sees and which prevent no review. */
const proposals = (count: number): PastEvent[] =>
  Array.from({ length: count }, (_, index) => proposed('agent_a', `d_${index + 2}`, { topic: `Topic ${index}` }));

const sentBack = play(submitted, [['owner', 'requestChanges', { reason: 'Name the rollback.' }]]);

describe('the order of reviews', () => {
  test('asks the Technical Reviewer and the moderator before the author', () => {
    expect(toolOf(submitted, 'agent_b')).toBe('submit_final_review');
    expect(toolOf(submitted, 'moderator')).toBe('submit_contract_review');
    expect(step(submitted, 'agent_a')).toBe('Wait for agent_b, who must act next: REVIEW_MISSING on r_1/agent_b.');
    expect(actionsOf(submitted, 'agent_a')).toEqual([]);
  });

  test('lets the author wait for the review of a moderator that takes the events in', () => {
    const past = play(taken(submitted), [review('agent_b')]);
    expect(step(past, 'agent_a')).toBe(
      'Wait for the moderator to review r_1. After three waits without news, review it yourself with submit_final_review (POST final-review): the moderator can still object.',
    );
    expect(actionsOf(past, 'agent_a')).toEqual([]);
    expect(step(past, 'agent_b')).toBe('Wait for the moderator to review r_1.');
  });

  test('takes the author’s verdict while the review of the moderator is missing', () => {
    const past = play(taken(submitted), [review('agent_b'), review('agent_a')]);
    expect(given(past).when('list_blockers', {}, 'agent_a').reply().blockers).not.toMatchObject([
      { code: 'REVIEW_MISSING' },
    ]);
  });

  test.each([
    ['the moderator has acknowledged no event', play(submitted, [review('agent_b')])],
    ['the moderator left 26 events unacknowledged', play([...taken(submitted), ...proposals(25)], [review('agent_b')])],
    ['the moderator has reviewed too', play(submitted, [review('agent_b'), judged])],
    ['the moderator may not review', play([...submitted, granted('ask')], [review('agent_b')])],
    ['the moderator is stopped', play([...submitted, stopped], [review('agent_b')])],
  ])('asks the author once the reviewer has spoken and %s', (_what, past) => {
    expect(toolOf(past, 'agent_a')).toBe('submit_final_review');
    expect(actionsOf(past, 'agent_a')).toEqual(['REVIEW_REVISION PENDING']);
  });

  test('still waits for a moderator that left 25 events unacknowledged', () => {
    const past = play([...taken(submitted), ...proposals(24)], [review('agent_b')]);
    expect(actionsOf(past, 'agent_a')).toEqual([]);
  });

  test('begins again with a newer revision', () => {
    const past = play([...submitted, stopped], [review('agent_b'), submit('r_1')]);
    expect(step(past, 'agent_a')).toBe('Wait for agent_b, who must act next: REVIEW_MISSING on r_2/agent_b.');
    expect(toolOf(past, 'agent_b')).toBe('submit_final_review');
  });
});

describe('a revision that the owner sent back', () => {
  test('is reviewed by nobody: the author submits another, and the others wait', () => {
    expect(toolOf(sentBack, 'agent_a')).toBe('submit_contract');
    expect(step(sentBack, 'agent_b')).toBe('Wait for agent_a, who must act next: CHANGES_REQUESTED on r_1.');
    expect(toolOf(sentBack, 'moderator')).not.toBe('submit_contract_review');
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const) expect(actionsOf(sentBack, role)).toEqual([]);
    expect(given(sentBack).when('list_blockers', {}, 'agent_b').reply().blockers).toMatchObject([
      { code: 'CHANGES_REQUESTED', responsible: 'agent_a' },
    ]);
  });

  test.each(['agent_a', 'agent_b'] as const)('stands as a directive in the state of %s', (role) => {
    expect(stateOf(sentBack, role).owner_directives).toEqual([
      {
        revision_id: 'r_1',
        text: 'Name the rollback.',
        targets: ['agent_a'],
      },
    ]);
  });

  test('is no directive any more once there is a newer one', () => {
    const past = play(sentBack, [submit('r_1')]);
    expect(stateOf(past, 'agent_a').owner_directives).toEqual([]);
    expect(toolOf(past, 'agent_b')).toBe('submit_final_review');
  });
});
