import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { type GivenOptions, given, openSession, type PastEvent } from '../src/testing/index.ts';
import { asksBuilders, finds, findsAndHolds, recommends } from './moderation.ts';
import { turnPosted } from './past.ts';
import { awaiting, type Call, evidence, play, submit, submitted } from './story.ts';

const FINDING = {
  text: 'No test covers the expiry.',
  kind: 'OMISSION',
  evidence: [{ kind: 'log', reference: 'a.log' }],
};
const raise: Call = ['agent_b', 'submit_finding', FINDING];
const posted: Call = ['agent_a', 'post_evidence', { evidence: [{ kind: 'command', reference: 'npm test' }] }];
const run = (past: readonly PastEvent[], [by, name, input = {}]: Call) => given(past).when(name, input as never, by);

/** The kinds of the events that a call would store. */
const stored = (past: readonly PastEvent[], call: Call): string[] =>
  run(past, call)
    .events()
    .map(({ kind }) => kind);

/** A reply without its times: `given` makes all past events a minute before the call. */
const timeless = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply).replaceAll(/2026-01-05T09:0[01]:00/g, 'now'));

describe('a call that repeats an open record of its author', () => {
  test.each<[string, readonly PastEvent[], Call]>([
    ['a finding', submitted, raise],
    ['a finding of the moderator', submitted, finds()],
    ['a finding with a hold', submitted, findsAndHolds],
    ['a question of the moderator', submitted, asksBuilders()],
    ['a recommendation', submitted, recommends()],
  ])('stores nothing and gets the first answer: %s', (_what, past, call) => {
    const first = run(past, call);
    const second = run(play(past, [call]), call).thenEvents();
    expect(timeless(second.reply())).toEqual(timeless(first.reply()));
  });

  test('gets the answer of its own record, not of the latest', () => {
    const others: Call[] = [
      raise,
      ['agent_b', 'submit_finding', { ...FINDING, text: 'Another fault.' }],
      finds({ text: 'A third fault.' }),
    ];
    expect(run(play(submitted, others), raise).reply()).toMatchObject({
      finding: { finding_id: 'f_1', status: 'OPEN' },
    });
  });

  test('is still the same after a new revision, unless it names the revision', () => {
    const past = play(submitted, [raise, submit('r_1')]);
    run(past, raise).thenEvents();
    expect(stored(past, ['agent_b', 'submit_finding', { ...FINDING, revision_id: 'r_2' }])).toContain('finding.raised');
  });
});

describe('at a limit, a call that repeats an open record of its author', () => {
  const atLimit: readonly [string, Call, GivenOptions, ErrorCode][] = [
    ['findings', raise, { quotas: { findings: 1 } }, 'QUOTA_EXHAUSTED'],
    ['questions', asksBuilders(), { limits: { openInterventions: 1 } }, 'LIMIT_EXCEEDED'],
    ['recommendations', recommends(), { limits: { openRecommendations: 1 } }, 'LIMIT_EXCEEDED'],
  ];
  test.each(atLimit)('gets the first answer, and another call the refusal: %s', (_what, call, options, code) => {
    const [by, name, input = {}] = call;
    const after = given(play(submitted, [call]), options);
    const again = after.when(name, input as never, by).thenEvents();
    expect(timeless(again.reply())).toEqual(timeless(run(submitted, call).reply()));
    after.when(name, { ...input, text: 'Another text.' } as never, by).thenFails(code);
  });
});

describe('a call that says something new, or evidence,', () => {
  const again: readonly [string, readonly PastEvent[], Call, string][] = [
    [
      'in one word',
      play(submitted, [raise]),
      ['agent_b', 'submit_finding', { ...FINDING, kind: 'RISK' }],
      'finding.raised',
    ],
    [
      'after its record was closed',
      play(submitted, [raise, ['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }]]),
      raise,
      'finding.raised',
    ],
    ['with a hold', play(submitted, [finds()]), findsAndHolds, 'finding.raised,hold.opened'],
    [
      'after its hold was released',
      play(submitted, [findsAndHolds, ['moderator', 'release_hold', { hold_id: 'h_1' }]]),
      findsAndHolds,
      'finding.raised,hold.opened',
    ],
    [
      'after its question was answered',
      play(submitted, [
        asksBuilders({ targets: ['agent_a'] }),
        ['agent_a', 'answer_intervention', { intervention_id: 'i_1', text: 'We do.' }],
      ]),
      asksBuilders({ targets: ['agent_a'] }),
      'intervention.opened',
    ],
    ['as evidence of a turn', play([turnPosted('agent_a', 0)], [posted]), posted, 'evidence.posted'],
    ['as evidence of an attempt', awaiting, evidence('agent_a', 'test-reserve'), 'evidence.submitted'],
  ];
  test.each(again)('is stored: %s', (_what, past, call, kinds) => {
    expect(stored(past, call).slice(0, kinds.split(',').length).join()).toBe(kinds);
  });
});

describe('calls at the same moment', () => {
  test('make one record, and all get its id', async () => {
    const { moderator } = await openSession();
    const ask = () => moderator.call('ask_agent', { text: 'Who owns the schema?' });
    const asked = await Promise.allSettled([ask(), ask(), ask(), ask()]);
    const ids = asked.map((one) => one.status === 'fulfilled' && one.value.question.intervention_id);
    expect(ids).toEqual(['i_1', 'i_1', 'i_1', 'i_1']);
    expect((await moderator.call('get_moderator_questions', {})).questions).toHaveLength(1);
  });
});
