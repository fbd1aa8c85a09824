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
  (stateOf(past, role).pending_actions ?? []).map(({ type, status }) => `${type} ${status}`);

const judged: Call = [
  'moderator',
  'submit_contract_review',
  { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'COMMENT', summary: 'Read.', dimensions: [] },
];
/** Open decisions, proposed by agent_a. They prevent no review, and each adds an event to the moderator's feed. */
const proposals = (count: number): PastEvent[] =>
  Array.from({ length: count }, (_, index) => proposed('agent_a', `d_${index + 2}`, { topic: `Topic ${index}` }));

const sentBack = play(submitted, [['owner', 'requestChanges', { reason: 'Name the rollback.' }]]);

describe('the order of reviews', () => {
  test('asks the Technical Reviewer and the moderator before the author', () => {
    expect(toolOf(submitted, 'agent_b')).toBe('submit_final_review');
    expect(toolOf(submitted, 'moderator')).toBe('submit_contract_review');
    expect(step(submitted, 'agent_a')).toBe('Wait for agent_b to remove the blocker REVIEW_MISSING on r_1/agent_b.');
    expect(actionsOf(submitted, 'agent_a')).toEqual([]);
    const missing = (role: Role) => stateOf(submitted, role).blockers.first;
    const ofReviewer = {
      code: 'REVIEW_MISSING',
      record: { type: 'review', id: 'r_1/agent_b' },
      responsible: 'agent_b',
    };
    const ofAuthor = {
      code: 'REVIEW_MISSING',
      record: { type: 'review', id: 'r_1/agent_a' },
      responsible: 'agent_a',
      waits_for: 'agent_b',
    };
    expect([missing('agent_a'), missing('agent_b')]).toEqual([
      [ofReviewer, ofAuthor],
      [ofReviewer, ofAuthor],
    ]);
  });

  test('makes the author wait for the review of a moderator that acknowledges its events', () => {
    const past = play(taken(submitted), [review('agent_b')]);
    expect(step(past, 'agent_a')).toBe(
      'Wait for the moderator to review r_1. After three waits without news, review it yourself with submit_final_review (POST final-review): the moderator can still object.',
    );
    expect(actionsOf(past, 'agent_a')).toEqual([]);
    expect(step(past, 'agent_b')).toBe('Wait for the moderator to review r_1.');
  });

  test('accepts the author’s verdict while the review of the moderator is missing', () => {
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
  ])('asks the author once the reviewer has reviewed and %s', (_what, past) => {
    expect(toolOf(past, 'agent_a')).toBe('submit_final_review');
    expect(actionsOf(past, 'agent_a')).toEqual(['REVIEW_REVISION PENDING']);
  });

  test('still waits for a moderator that left 25 events unacknowledged', () => {
    const past = play([...taken(submitted), ...proposals(24)], [review('agent_b')]);
    expect(actionsOf(past, 'agent_a')).toEqual([]);
  });

  test('begins again with a newer revision', () => {
    const past = play([...submitted, stopped], [review('agent_b'), submit('r_1')]);
    expect(step(past, 'agent_a')).toBe('Wait for agent_b to remove the blocker REVIEW_MISSING on r_2/agent_b.');
    expect(toolOf(past, 'agent_b')).toBe('submit_final_review');
  });
});

describe('a revision that the owner sent back', () => {
  test('is not reviewed: the author submits another revision, and the others wait', () => {
    expect(toolOf(sentBack, 'agent_a')).toBe('submit_contract');
    expect(step(sentBack, 'agent_b')).toBe(
      'Wait for agent_a to remove the blocker CHANGES_REQUESTED on r_1. As Contract Author, agent_a proposes the new positions: accept or reject them with accept_decision and reject_decision.',
    );
    expect(toolOf(sentBack, 'moderator')).not.toBe('submit_contract_review');
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const) expect(actionsOf(sentBack, role)).toEqual([]);
    expect(given(sentBack).when('list_blockers', {}, 'agent_b').reply().blockers).toMatchObject([
      { code: 'CHANGES_REQUESTED', responsible: 'agent_a' },
    ]);
  });

  test('states when a decision has to be replaced first, and when the other agent has accepted it', () => {
    const accepts: Call = ['agent_b', 'accept_decision', { decision_id: 'd_2' }];
    const replaces: Call = ['agent_a', 'submit_decision', { topic: 'Store', position: 'SQLite', accept: true }];
    const replaced = play(sentBack, [replaces]);
    expect(step(sentBack, 'agent_a')).toBe(
      'CHANGES_REQUESTED on r_1: You propose the new position of each decision that the request touches, with submit_decision (same topic, accept: true); wait until the other agent accepts it. Then make the changes: submit a new revision with submit_contract, or patch r_1 with patch_contract, and approve it with approve: true in the same call. Name "15" in causes, so that the owner sees which request you fulfil.',
    );
    expect(step(replaced, 'agent_a')).toBe(
      'CHANGES_REQUESTED on r_1: Decisions that are not accepted yet: d_2 by agent_b. When every decision is accepted, make the requested changes: submit a new revision with submit_contract, or patch r_1 with patch_contract, and approve it with approve: true in the same call. Name "15" in causes, so that the owner sees which request you fulfil.',
    );
    expect(step(play(replaced, [accepts]), 'agent_a')).toBe(
      'CHANGES_REQUESTED on r_1: r_1 names superseded decisions: d_1. In place of each, name the decision that replaced it, and make the requested changes: submit a new revision with submit_contract, or patch r_1 with patch_contract, and approve it with approve: true in the same call. Name "15" in causes, so that the owner sees which request you fulfil.',
    );
  });

  test('shows the rule and the place of each validation error in the state', () => {
    const replaced = play(sentBack, [
      ['agent_a', 'submit_decision', { topic: 'Store', position: 'SQLite', accept: true }],
    ]);
    const record = { type: 'revision', id: 'r_1' };
    expect(stateOf(replaced, 'agent_a').blockers.first).toEqual([
      { code: 'CHANGES_REQUESTED', record, responsible: 'agent_a' },
      {
        code: 'VALIDATION_ERROR',
        record,
        responsible: 'agent_a',
        message: 'DECISION_NOT_RESOLVED at /decisions/0: Decision d_1 is SUPERSEDED.',
      },
      { code: 'DECISION_OPEN', record: { type: 'decision', id: 'd_2' }, responsible: 'agent_b' },
    ]);
  });

  test.each(['agent_a', 'agent_b'] as const)('stands as a directive in the state of %s', (role) => {
    expect(stateOf(sentBack, role).owner_directives).toEqual([
      {
        revision_id: 'r_1',
        message_id: 15,
        text: 'Name the rollback.',
        targets: ['agent_a'],
      },
    ]);
  });

  test('is one of several directives if the owner requests further changes before the next revision', () => {
    const twice = play(sentBack, [['owner', 'requestChanges', { reason: 'Name the error.' }]]);
    const { owner_directives, instruction } = stateOf(twice, 'agent_a');
    expect(owner_directives).toEqual([
      { revision_id: 'r_1', message_id: 15, text: 'Name the rollback.', targets: ['agent_a'] },
      { revision_id: 'r_1', message_id: 18, text: 'Name the error.', targets: ['agent_a'] },
    ]);
    expect(instruction.text).toMatch(
      / Name "15" and "18" in causes, so that the owner sees which request you fulfil\.$/,
    );
    expect(given(twice).when('list_blockers', {}, 'agent_a').reply().blockers).toMatchObject([
      {
        code: 'CHANGES_REQUESTED',
        message:
          "The owner requested changes of r_1 in message #15 and message #18; the text of each request is among the owner's directives.",
      },
    ]);
    const revised = play(twice, [submit('r_1')]);
    expect(stateOf(revised, 'agent_a').owner_directives).toEqual([]);
    expect(toolOf(revised, 'agent_b')).toBe('submit_final_review');
  });
});
