import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type OperationName, type PastEvent } from '../../../src/testing/index.ts';
import { changed, SAMPLE_HASH, SAMPLE_MAPPINGS } from '../../contract/sample-contract.ts';
import { finds, findsAndHolds, recommends, respondsTo, stopped } from '../../moderation.ts';
import { asked, ended, paused } from '../../past.ts';
import {
  approved,
  building,
  certified,
  decided,
  declared,
  failed,
  play,
  ready,
  received,
  releasable,
  review,
  rightReport,
  submit,
  submitted,
} from '../../story.ts';
import { asksOwner, hold, WAITS } from './owner-wait-cases.ts';
import { SESSION } from './owner-wait-shapes.ts';

const waits = (past: readonly PastEvent[], options: GivenOptions = {}) =>
  given(past, options).when('view', {}, 'owner').reply().waits;

const ids = (past: readonly PastEvent[], options: GivenOptions = {}): string[] =>
  waits(past, options).map(({ wait_id, blocking }) => (blocking ? wait_id : `(${wait_id})`));

describe('what waits for the owner', () => {
  test('is tested for every kind', () => {
    expect([...new Set(WAITS.map(({ wait }) => wait.kind))].toSorted()).toEqual([
      'ACTIVATION',
      'ANSWER',
      'APPROVAL',
      'BLOCKER',
      'BUILD',
      'CARRY',
      'DEPLOYMENT',
      'DISPUTE',
      'END',
      'HOLD',
      'QUESTION',
      'RECOMMENDATION',
      'REPORTED_BLOCKED',
      'RESUME',
      'START',
      'STUCK',
    ]);
  });

  test.each(WAITS)('names $what', ({ past, options, wait }) => {
    expect(waits(past, options)).toEqual([wait]);
  });

  test('quotes both answers about a defect if the owner asked both agents', () => {
    const past = play(failed, [
      ['owner', 'ask', { targets: ['agent_a', 'agent_b'], text: 'Who mends def_1?' }],
      ['agent_a', 'answer_intervention', { intervention_id: 'i_1', text: 'The stock is not ours.' }],
      ['agent_b', 'answer_intervention', { intervention_id: 'i_1', text: 'The caller locks the row.' }],
    ]);
    expect(waits(past).find(({ kind }) => kind === 'ANSWER')?.said).toBe(
      'The caller locks the row.\n\nagent_a answers: The stock is not ours.',
    );
  });

  test('says the size of a certified revision, what you have read of it, and its open caveats', () => {
    const text = (past: readonly PastEvent[]) => waits(past).find(({ kind }) => kind === 'APPROVAL')?.text;
    const read = (past: readonly PastEvent[], revision_id: string, ...sections: readonly string[]) =>
      play(past, [['owner', 'markRead', { revision_id, sections }]]);
    const judges = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b', caveats: readonly string[] = []) => {
      const { revision_id, content_hash } = given(past).when('plan', {}, 'owner').reply();
      return play(past, [[by, 'submit_final_review', { revision_id, content_hash, verdict: 'APPROVE', caveats }]]);
    };
    expect(text(certified)).toMatch(/^r_1 \(3 kB; you have read no section\) is certified/);
    expect(text(read(certified, 'r_1', 'title', 'scope'))).toMatch(/^r_1 \(3 kB\) is certified/);
    const versioned = play(certified, [submit('r_1', changed({ schema_version: '1' }))]);
    const whole = judges(judges(read(versioned, 'r_2', 'all'), 'agent_a'), 'agent_b');
    expect(text(whole)).toMatch(/^r_2 \(3 kB\) is certified/);
    const later = play(read(certified, 'r_1', 'all'), [
      submit('r_1', changed({ title: 'Stock' })),
      submit('r_2', changed({ title: 'Orders and stock' })),
    ]);
    const judged = judges(judges(later, 'agent_a'), 'agent_b', ['The limit is tight.']);
    expect(text(judged)).toMatch(/^r_3 \(3 kB; 2 revisions since you read r_1; 1 open caveat\) is certified: read it/);
    const unread = play(approved, [
      ['owner', 'requestChanges', { reason: 'Name the lock.' }],
      [
        'agent_a',
        'submit_contract',
        { contract: changed({ title: 'Stock' }), expected_parent_id: 'r_1', reason: 'As #19 asks.' },
      ],
    ]);
    expect(text(judges(judges(unread, 'agent_a'), 'agent_b'))).toMatch(
      /^r_2 \(3 kB; 1 revision since you approved r_1(;.*)?\) is certified/,
    );
  });

  test.each(WAITS)('is settled by its operation with its payload: $what', ({ past, options, wait, own = {} }) => {
    const [{ operation, payload } = { operation: '', payload: {} }] = waits(past, options);
    const after = play(past, [['owner', operation as OperationName, { ...payload, ...own }]], options);
    expect(waits(after, options).map(({ wait_id }) => wait_id)).not.toContain(wait.wait_id);
  });

  test.each(WAITS.filter(({ options, what }) => !options && what !== 'the end of a pause'))(
    'can be settled while the session is paused as well: $what',
    ({ past, wait, own = {} }) => {
      const [resume, { operation, payload } = { operation: '', payload: {} }] = waits([...past, paused]);
      expect(resume?.kind).toBe('RESUME');
      const after = play([...past, paused], [['owner', operation as OperationName, { ...payload, ...own }]]);
      expect(waits(after).map(({ wait_id }) => wait_id)).not.toContain(wait.wait_id);
    },
  );
});

describe('nothing waits for the owner', () => {
  test.each([
    ['while the agents plan', []],
    ['once they have decided', decided],
    ['while a revision is reviewed', submitted],
    ['before both are certain', play(submitted, [review('agent_a')])],
    ['while both get ready', approved],
    ['after one report', play(received, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]])],
    ['while both build', building],
    ['while both verify', declared],
    ['once the session has ended', [...certified, asksOwner('q_1', true), ended]],
    ['where a question is the other agent’s', [asked('agent_b', 'q_1', { blocking: true })]],
    ['where a finding is the moderator’s to close', play(certified, [finds(), respondsTo('f_1', 'ACCEPT')])],
  ])('%s', (_when, past) => {
    expect(ids(past)).toEqual([]);
  });
});

describe('in a pause', () => {
  test.each([
    ['nothing is declared', building],
    ['both verify', declared],
    ['both plan', decided],
    ['both get ready', approved],
  ])('only the end of the pause waits for the owner while %s', (_when, past) => {
    expect(ids([...past, paused])).toEqual([`RESUME:${SESSION}`]);
  });
});

describe('several things that wait', () => {
  const rich = play(
    [...hold(certified), asksOwner('q_1', false), asksOwner('q_2', true)],
    [recommends(), recommends('PROCEED')],
  );

  test('are in the order in which the owner looks at them', () => {
    expect(ids([...rich, paused])).toEqual([
      `RESUME:${SESSION}`,
      '(QUESTION:q_1)',
      'QUESTION:q_2',
      '(RECOMMENDATION:rec_1)',
      '(RECOMMENDATION:rec_2)',
      '(HOLD:h_1)',
    ]);
  });

  test('name a hold once, whoever can release it', () => {
    expect(ids(rich)).toContain('(HOLD:h_1)');
    expect(ids([...rich, stopped])).toEqual([
      '(QUESTION:q_1)',
      'QUESTION:q_2',
      '(RECOMMENDATION:rec_1)',
      '(RECOMMENDATION:rec_2)',
      'BLOCKER:h_1',
    ]);
  });

  test('name each hold that stops the build, and no authorization', () => {
    const two = play(hold(ready), [
      finds({ ...findsAndHolds[2], blocking: false, text: 'Nobody watches it.' }),
      respondsTo('f_2'),
    ]);
    expect(ids(two)).toEqual(['HOLD:h_1', 'HOLD:h_2']);
  });

  test('name each finding that stops the release, then the holds on other findings', () => {
    const held = play(releasable, [findsAndHolds, finds({ ...findsAndHolds[2], blocking: false })]);
    expect(ids(held)).toEqual(['BLOCKER:f_1', 'HOLD:h_2', '(HOLD:h_1)']);
    const overridden = play(held, [['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Known.' }]]);
    expect(ids(overridden)).toEqual(['HOLD:h_2']);
    const released = play(held, [
      ['owner', 'releaseHold', { hold_id: 'h_2', reason: 'Known.' }],
      ['owner', 'releaseHold', { hold_id: 'h_1', reason: 'Known.' }],
    ]);
    expect(ids(released)).toEqual(['BLOCKER:f_1']);
    expect(ids([...released, stopped])).toEqual(['BLOCKER:f_1']);
  });

  test('name no finding while scenarios are still open', () => {
    expect(ids(play(declared, [finds()]))).toEqual([]);
  });

  test('name no hold as blocking while scenarios are still open', () => {
    expect(ids(hold(declared))).toEqual(['(HOLD:h_1)']);
  });

  test('name the approval anew with a newer revision', () => {
    const again = play(certified, [
      submit('r_1'),
      ['agent_a', 'submit_preflight', { mappings: SAMPLE_MAPPINGS }],
      ['agent_a', 'submit_final_review', { revision_id: 'r_2', content_hash: SAMPLE_HASH, verdict: 'APPROVE' }],
      ['agent_b', 'submit_final_review', { revision_id: 'r_2', content_hash: SAMPLE_HASH, verdict: 'APPROVE' }],
    ]);
    expect(ids(again)).toEqual(['APPROVAL:r_2']);
  });
});
