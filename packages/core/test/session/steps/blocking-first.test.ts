import { describe, expect, test } from 'vitest';
import { given, type PastEvent, seenIn } from '../../../src/testing/index.ts';
import { SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { accept, submit as draft, map, nominate, opened, propose } from '../../happenings.ts';
import { finds } from '../../moderation.ts';
import { acknowledged, directed, proposed, turnPosted } from '../../past.ts';
import { type Call, handshake, play, review, submit, submitted } from '../../story.ts';
import { items, NEW_COMMIT, runOf } from '../../verify/builds.ts';

type Builder = 'agent_a' | 'agent_b';

const NAMED = { revision_id: 'r_1', content_hash: SAMPLE_HASH };
const approves = (by: Builder, caveat: string): Call => [
  by,
  'submit_final_review',
  { ...NAMED, verdict: 'APPROVE', caveats: [caveat] },
];
const caveatOf = (by: Builder): readonly PastEvent[] => play(submitted, [approves(by, 'Nobody owns the journal.')]);

const returned = play(caveatOf('agent_b'), [
  review('agent_a'),
  ['owner', 'requestChanges', { reason: 'Name who owns the journal.' }],
]);
const builtAfter = (by: Builder): readonly PastEvent[] => [
  ...play(caveatOf(by), [review(by === 'agent_a' ? 'agent_b' : 'agent_a'), ['owner', 'approveContract', NAMED]]),
  { kind: 'build.authorized', actor: 'owner', data: { ...NAMED, manifest_id: 'm_1' } },
  { kind: 'phase.changed', actor: 'system', data: { from: 'READINESS', to: 'VERIFY' } },
];
const built = builtAfter('agent_a');
const failed = play(built, [
  handshake('agent_a'),
  handshake('agent_b'),
  ...runOf('test-reserve', 'agent_a', 1, 'FAIL'),
]);
const declaredAnew = play(failed, [handshake('agent_b', { commit: NEW_COMMIT })]);

const duty = (past: readonly PastEvent[], by: Builder) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .duties.find(({ role }) => role === by)?.text;
const instruction = (past: readonly PastEvent[], by: Builder) =>
  given(past).when('read_session_state', {}, by).reply().instruction.text;
const firstBlocker = (past: readonly PastEvent[], by: Builder) =>
  given(past)
    .when('blockers', {}, 'owner')
    .reply()
    .blockers.find(({ responsible, waits_for }) => responsible === by && !waits_for);

describe('the step of a builder with an open caveat to answer', () => {
  test.each<[string, readonly PastEvent[], Builder, { readonly text: string; readonly words: string }]>([
    [
      'the request for changes',
      returned,
      'agent_a',
      { text: 'CHANGES_REQUESTED on r_1: ', words: 'submit a revision of the contract' },
    ],
    [
      'its own review',
      caveatOf('agent_b'),
      'agent_a',
      { text: 'Action act_4 (REVIEW_REVISION): Review r_1', words: 'review r_1' },
    ],
    [
      'the handshake',
      built,
      'agent_b',
      { text: 'The build of r_1 is authorized', words: 'build, then declare the commit that runs on its side' },
    ],
    [
      'the fix',
      failed,
      'agent_b',
      { text: 'Defect def_1 of test-reserve is assigned to you', words: 'fix def_1, on a new commit' },
    ],
    [
      'the mark of the fix',
      declaredAnew,
      'agent_b',
      { text: 'You have declared a new commit', words: 'mark def_1 fixed' },
    ],
  ])('is %s before the caveat', (_step, past, by, { text, words }) => {
    expect(instruction(past, by)).toContain(text);
    expect(duty(past, by)).toBe(words);
    expect(items(past, by).map(({ tool }) => tool)).toContain('respond_finding');
  });

  test('is the first blocker that it can remove', () => {
    expect(firstBlocker(returned, 'agent_a')).toMatchObject({ code: 'CHANGES_REQUESTED', record: { id: 'r_1' } });
    expect(firstBlocker(caveatOf('agent_b'), 'agent_a')).toMatchObject({ code: 'REVIEW_MISSING' });
  });

  test('is the caveat if nothing else is due', () => {
    const waiting = play(built, [handshake('agent_b')]);
    expect(duty(waiting, 'agent_b')).toBe('answer finding f_1');
  });

  test('stands after the steps of the other roles if it is the caveat', () => {
    const past = play(builtAfter('agent_b'), [handshake('agent_a')]);
    const { movers, duties } = given(past).when('view', {}, 'owner').reply();
    expect(movers).toEqual(['agent_b', 'agent_a']);
    expect(duties.map(({ text }) => text)).toEqual([
      'build, then declare the commit that runs on its side',
      'answer finding f_1',
    ]);
  });
});

describe('the order of blocking steps', () => {
  const found = play(submitted, [finds(), ['owner', 'requestChanges', { reason: 'Name who owns the journal.' }]]);

  test('is that of the blockers: the request for changes before the answer to a blocking finding', () => {
    expect(firstBlocker(found, 'agent_a')).toMatchObject({ code: 'CHANGES_REQUESTED' });
    expect(items(found, 'agent_a').map(({ tool }) => tool)).toEqual(['submit_contract', 'respond_finding']);
  });

  test('names the answer first after the new revision, and once', () => {
    const revised = play(found, [submit('r_1')]);
    expect(items(revised, 'agent_a').map(({ tool }) => tool)).toEqual(['respond_finding']);
    expect(duty(revised, 'agent_a')).toBe('answer finding f_1');
  });

  test('has the acceptance of a decision before the review', () => {
    const open = [...submitted, proposed('agent_a', 'd_9')];
    const [first] = items(open, 'agent_b');
    expect(firstBlocker(open, 'agent_b')?.resolution.tool).toBe(first?.tool);
  });
});

describe('a directive that the builder has acknowledged', () => {
  test('asks for nothing more, in the list of calls, in movers and in duties', () => {
    const directive = [directed('i_1'), acknowledged('agent_a', 'i_1'), acknowledged('agent_b', 'i_1')];
    const past = [...directive, turnPosted('agent_a', 0)];
    const { movers, duties } = given(past).when('view', {}, 'owner').reply();
    expect(movers).toEqual(['agent_b']);
    expect(duties).toEqual([{ role: 'agent_b', text: 'post its turn' }]);
    expect(items(past, 'agent_a')).toEqual([]);
  });
});

describe('since when a step is due', () => {
  test('does not count from a caveat that comes later', async () => {
    const session = await opened([
      propose,
      accept('agentA'),
      accept('agentB'),
      nominate('agentA', 'agent_a'),
      nominate('agentB', 'agent_a'),
      draft,
      map,
    ]);
    const { owner, sessionId, agentB, clock } = session;
    await agentB.call('submit_final_review', { ...NAMED, verdict: 'APPROVE', caveats: ['Nobody owns the journal.'] });
    clock.advance(60_000);
    await owner.requestChanges(sessionId, {
      reason: 'Name who owns the journal.',
      seen: await seenIn(owner, sessionId),
    });
    const { movers, since } = await owner.view(sessionId);
    expect(movers).toEqual(['agent_a']);
    expect(since).toBe('2026-01-05T09:01:00.000Z');
  });
});
