import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { finds, respondsTo, stopped, TO_BOTH } from '../../moderation.ts';
import { paused, turnPosted } from '../../past.ts';
import { type Call, certified as certifiedAlone, deployed, failed, handshake, play, releasable } from '../../story.ts';
import { board, items, NEW_COMMIT, runOf } from '../../verify/builds.ts';

/** Each event is later than the event before it, because a task can depend on what was written after an answer. */
const IN_ORDER = { msBetween: 1 };

const waitsOf = (past: readonly PastEvent[]) => given(past, IN_ORDER).when('view', {}, 'owner').reply().waits;

const ids = (past: readonly PastEvent[]): string[] =>
  waitsOf(past).map(({ wait_id, blocking }) => (blocking ? wait_id : `(${wait_id})`));

const raises = (by: 'agent_a' | 'agent_b', changes: Readonly<Record<string, unknown>> = {}): Call => [
  by,
  'submit_finding',
  { text: 'The caller locks the row.', ...changes },
];

const answers = (by: 'agent_a' | 'agent_b', decision: string, finding_id = 'f_1'): Call => [
  by,
  'respond_finding',
  { finding_id, decision, response: 'By our log it is yours.' },
];

const resolves = (by: 'agent_b' | 'moderator'): Call => [
  by,
  'resolve_finding',
  { finding_id: 'f_1', outcome: 'WITHDRAWN' },
];

/** Both builders have posted a turn, so that they can post evidence. */
const certified = [turnPosted('agent_a', 0), turnPosted('agent_b', 1), ...certifiedAlone];

/** A write that closes no finding and gives the other builder nothing to do. */
const writes = (by: 'agent_a' | 'agent_b', reference = 'src/orders.ts'): Call => [
  by,
  'post_evidence',
  { evidence: [{ kind: 'file', reference }] },
];

const acks = (cursor: number): Call => ['moderator', 'ack_events', { cursor }];

const rejected = play(certified, [raises('agent_b'), answers('agent_a', 'REJECT')]);
const leftOpen = play(rejected, [writes('agent_b')]);

/** def_1 is assigned to agent_b, the Technical Reviewer. */
const disputed = play(failed, [raises('agent_b', { target: 'def_1', blocking: false })]);

/** def_1 is assigned to agent_a, the Contract Author. */
const moved = play(failed, [['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }]]);
const disputedByAuthor = play(moved, [raises('agent_a', { target: 'def_1', blocking: false })]);

describe('a rejected finding', () => {
  test('waits once its raiser has written something else after the rejection, until the raiser closes it', () => {
    expect(ids(play(certified, [raises('agent_b')]))).toEqual([]);
    expect(ids(rejected)).toEqual([]);
    expect(ids(play(certified, [raises('agent_b'), writes('agent_b'), answers('agent_a', 'REJECT')]))).toEqual([]);
    expect(ids(leftOpen)).toEqual(['DISPUTE:f_1']);
    expect(ids(play(leftOpen, [resolves('agent_b')]))).toEqual(['APPROVAL:r_1']);
    expect(ids(play(rejected, [resolves('agent_b')]))).toEqual(['APPROVAL:r_1']);
  });

  test('is a duty of its raiser until then, and no task if only others have written', () => {
    const past = play(rejected, [writes('agent_a')]);
    expect(ids(past)).toEqual([]);
    const { duties } = given(past, IN_ORDER).when('view', {}, 'owner').reply();
    expect(duties).toEqual([{ role: 'agent_b', text: 'close its finding f_1' }]);
  });

  test('waits no longer once it is rejected again, until its raiser has written again', () => {
    const response = 'So says the other log.';
    const again = play(leftOpen, [['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response }]]);
    expect(ids(again)).toEqual([]);
    expect(ids(play(again, [writes('agent_b', 'src/log.ts')]))).toEqual(['DISPUTE:f_1']);
  });

  test('waits if the moderator acknowledges the rejection and does not close the finding', () => {
    const byModerator = play(certified, [finds(), respondsTo('f_1')]);
    expect(ids(byModerator)).toEqual([]);
    expect(ids(play(byModerator, [acks(1)]))).toEqual(['DISPUTE:f_1']);
  });

  test('does not wait if it was accepted, also if that was the later answer, or if it does not block', () => {
    expect(ids(play(certified, [raises('agent_b'), answers('agent_a', 'ACCEPT'), writes('agent_b')]))).toEqual([]);
    expect(ids(play(leftOpen, [answers('agent_a', 'ACCEPT'), writes('agent_b')]))).toEqual([]);
    const open = play(certified, [
      raises('agent_b', { blocking: false }),
      answers('agent_a', 'REJECT'),
      writes('agent_b'),
    ]);
    expect(ids(open)).toEqual(['APPROVAL:r_1']);
  });

  test('waits when every builder that it names has answered, with the answers of both', () => {
    const toBoth = { ...TO_BOTH, target_agents: ['agent_a', 'agent_b'] };
    const half = play(certified, [finds(toBoth), answers('agent_b', 'REJECT'), acks(1)]);
    expect(ids(half)).toEqual([]);
    const whole = play(half, [answers('agent_a', 'ACCEPT')]);
    expect(ids(whole)).toEqual([]);
    const [wait] = waitsOf(play(whole, [acks(2)]));
    expect(wait).toMatchObject({
      wait_id: 'DISPUTE:f_1',
      text: 'agent_b rejected finding f_1, and moderator has not closed it: read both sides, then override the finding, or direct the agents.',
      from: 'moderator',
      said: 'Nothing undoes a failed release.\n\nagent_b rejects: By our log it is yours.\n\nagent_a accepts: By our log it is yours.',
    });
  });

  test('blocks only while the builders have nothing else to do, and never in a pause', () => {
    const two = play(rejected, [raises('agent_b', { text: 'It locks the table.' })]);
    expect(ids(two)).toEqual(['(DISPUTE:f_1)']);
    const bothRejected = play(two, [answers('agent_a', 'REJECT', 'f_2')]);
    expect(ids(bothRejected)).toEqual(['(DISPUTE:f_1)']);
    expect(ids(play(bothRejected, [writes('agent_b')]))).toEqual(['DISPUTE:f_1', 'DISPUTE:f_2']);
    expect(ids([...leftOpen, paused])).toContain('(DISPUTE:f_1)');
  });

  test('is listed once: as BLOCKER if no moderator can close it, or if it alone stops the release', () => {
    const byModerator = play(certified, [finds(), respondsTo('f_1'), acks(1)]);
    expect(ids(byModerator)).toEqual(['DISPUTE:f_1']);
    expect(ids([...byModerator, stopped])).toEqual(['BLOCKER:f_1']);
    const late = play(releasable, [raises('agent_b'), answers('agent_a', 'REJECT')]);
    expect(ids(late)).toEqual(['BLOCKER:f_1']);
    expect(waitsOf(late)[0]?.said).toBe('The caller locks the row.\n\nagent_a rejects: By our log it is yours.');
    expect(ids(play(deployed, [finds(), respondsTo('f_1')]))).toEqual(['BLOCKER:f_1']);
  });

  test('keeps the words of both sides if the first text is long', () => {
    const text = 'x'.repeat(3_000);
    const [wait] = waitsOf(
      play(certified, [raises('agent_b', { text }), answers('agent_a', 'REJECT'), writes('agent_b')]),
    );
    expect(wait?.said).toBe(`${'x'.repeat(899)}…\n\nagent_a rejects: By our log it is yours.`);
  });
});

describe('a disputed defect', () => {
  test('waits with the text of its assignee, and then with the answer of the other builder', () => {
    expect(ids(failed)).toEqual([]);
    expect(waitsOf(disputed)).toMatchObject([
      { wait_id: 'DISPUTE:def_1', blocking: true, from: 'agent_b', said: 'The caller locks the row.' },
    ]);
    expect(waitsOf(play(disputed, [answers('agent_a', 'ACCEPT')]))).toMatchObject([
      { said: 'The caller locks the row.\n\nagent_a accepts: By our log it is yours.' },
    ]);
  });

  test('can be disputed by the Contract Author too, and the other builder answers', () => {
    expect(waitsOf(disputedByAuthor)).toMatchObject([
      { wait_id: 'DISPUTE:def_1', payload: { defect_id: 'def_1', role: 'agent_b' }, from: 'agent_a' },
    ]);
    expect(items(disputedByAuthor, 'agent_b').map(({ payload }) => payload.finding_id)).toContain('f_1');
    expect(items(disputedByAuthor, 'agent_a').map(({ payload }) => payload.finding_id)).not.toContain('f_1');
    given(disputedByAuthor)
      .when('respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'It is.' }, 'agent_b')
      .reply();
  });

  test('is disputed by nobody else, and by no other target', () => {
    const refused = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b', target: string) =>
      given(past).when('submit_finding', { text: 'Not mine.', target }, by).thenFails('NOT_TECHNICAL_REVIEWER');
    refused(failed, 'agent_a', 'def_1');
    refused(moved, 'agent_a', 'def_2');
    refused(play(moved, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Known.' }]]), 'agent_a', 'def_1');
    expect(ids(play(failed, [raises('agent_b')]))).toEqual([]);
    expect(ids(play(moved, [raises('agent_b', { target: 'def_1', blocking: false })]))).toEqual([]);
  });

  test.each<[string, Call]>([
    ['assigned to the other builder', ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }]],
    ['waived', ['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Known.' }]],
    ['left where it is', ['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'The log shows it.' }]],
    ['no longer disputed', resolves('agent_b')],
  ])('waits no longer once it is %s', (_how, call) => {
    expect(ids(play(disputed, [call]))).toEqual([]);
  });

  test('waits no longer once it is marked fixed, and again after a rerun that failed', () => {
    const fixed = play(disputed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks the row.' }],
    ]);
    expect(ids(fixed)).toEqual([]);
    const again = play(fixed, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    expect(board(again).defects.map(({ status }) => status)).toEqual(['OPEN']);
    expect(ids(again)).toEqual(['DISPUTE:def_1']);
  });

  test('is one task, even if two findings dispute it, and a rejection adds none', () => {
    const twice = play(disputed, [raises('agent_b', { target: 'def_1' }), answers('agent_a', 'REJECT')]);
    expect(ids(twice)).toEqual(['DISPUTE:def_1']);
    expect(ids(play(twice, [answers('agent_a', 'REJECT', 'f_2')]))).toEqual(['DISPUTE:def_1']);
  });
});

describe('the instruction to fix a defect', () => {
  const reason = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b') =>
    items(past, by).find(({ tool }) => tool === 'verify_handshake')?.reason;

  test('says how to dispute the defect, and then where it is disputed', () => {
    expect(reason(failed, 'agent_b')).toBe(
      'Defect def_1 of test-reserve is assigned to you: fix it, then declare the new commit with verify_handshake. If agent_a has to fix it, say why with submit_finding (target def_1, blocking false): the owner decides.',
    );
    expect(reason(disputed, 'agent_b')).toBe(
      'Defect def_1 of test-reserve is assigned to you: fix it, then declare the new commit with verify_handshake. You dispute it in f_1, which the owner reads: the owner can assign it to agent_a.',
    );
  });
});
