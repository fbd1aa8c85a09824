import { describe, expect, test } from 'vitest';
import { canonicalHash } from '../../src/kernel/text/hash.ts';
import { given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_HASH } from '../contract/sample-contract.ts';
import { entitled, finds, findsAndHolds, judges, recommends, respondsTo } from '../moderation.ts';
import {
  attempt,
  blockedReport,
  type Call,
  COMMITS,
  certified,
  confirmation,
  deployed,
  evidence,
  failed,
  handshake,
  play,
  ready,
  received,
  releasable,
  rightReport,
  submit,
  submitted,
  verdict,
} from '../story.ts';
import { A_COMMIT } from '../verify/builds.ts';
import { redeclared, staleOf } from '../verify/carries.ts';

const ANOTHER = changed({ title: 'Another' });
const R_2_HASH = canonicalHash(ANOTHER);
const NEW = 'c'.repeat(40);
const headOf = (past: readonly PastEvent[]): number => given(past).when('view', {}, 'owner').reply().head.seq;

interface Story {
  readonly read: readonly PastEvent[];
  readonly meanwhile: readonly Call[];
  readonly call: readonly [name: OperationName, input: Readonly<Record<string, unknown>>];
}

/** Makes the call after all events, for an owner who had read only the events `read`. */
const decided = ({ read, meanwhile, call: [name, input] }: Story) =>
  given(play(read, meanwhile)).when(name, { ...input, seen: headOf(read) } as never, 'owner');

/** Makes the call for an owner who has read all events. */
const decidedAgain = ({ read, meanwhile, call }: Story) =>
  decided({ read: play(read, meanwhile), meanwhile: [], call });

const passes = (scenario: string, executor: 'agent_a' | 'agent_b', number: number): Call[] => {
  const other = executor === 'agent_a' ? 'agent_b' : 'agent_a';
  return [
    attempt(executor, scenario),
    evidence(executor, scenario, number, { request_id: `req-${scenario}` }),
    evidence(other, scenario, number, { request_id: `req-${scenario}` }),
    verdict(other, scenario, number),
  ];
};

const recommitted: readonly Call[] = [
  handshake('agent_a', { commit: NEW }),
  ...passes('test-reserve', 'agent_a', 2),
  ...passes('test-expiry', 'agent_b', 2),
];

const authorize = (stage: string): Story['call'] => ['authorize', { stage }];
const approve: Story['call'] = ['approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }];
const overrideReview: Story['call'] = ['overrideReview', { role: 'moderator', reason: 'Known.' }];
const overrideFinding: Story['call'] = ['overrideFinding', { finding_id: 'f_1', reason: 'Known.' }];

const found = play(submitted, [finds()]);
const objected = play(certified, [judges('REQUEST_CHANGES')]);

describe('a decision on what has changed since the owner read it', () => {
  test.each<[what: string, changed: readonly string[], Story]>([
    [
      'authorizes no other commit',
      ['handshake agent_a', 'scenario test-expiry', 'scenario test-reserve'],
      { read: releasable, meanwhile: recommitted, call: authorize('deployment') },
    ],
    [
      'authorizes no deployment against new advice',
      ['recommendation rec_1'],
      { read: releasable, meanwhile: [recommends()], call: authorize('deployment') },
    ],
    [
      'authorizes no deployment before a question that came meanwhile',
      ['question q_1'],
      {
        read: releasable,
        meanwhile: [
          [
            'agent_b',
            'answer_question',
            { question_id: '', answer: '', questions: [{ text: 'Which region?', to: 'owner' }] },
          ],
        ],
        call: authorize('deployment'),
      },
    ],
    [
      'authorizes no activation of a service that declares another version',
      ['handshake agent_b'],
      { read: deployed, meanwhile: [handshake('agent_b', { version: '1.0.1' })], call: authorize('activation') },
    ],
    [
      'overrides no review of a later revision',
      ['review moderator', 'revision r_2'],
      {
        read: objected,
        meanwhile: [submit('r_1', ANOTHER), judges('REQUEST_CHANGES', 'r_2', { content_hash: R_2_HASH })],
        call: overrideReview,
      },
    ],
    [
      'overrides no later review of the same revision',
      ['review moderator'],
      {
        read: objected,
        meanwhile: [judges('REQUEST_CHANGES', 'r_1', { summary: 'Read twice.' })],
        call: overrideReview,
      },
    ],
    [
      'overrides no finding that was answered',
      ['finding f_1'],
      { read: found, meanwhile: [respondsTo('f_1')], call: overrideFinding },
    ],
    [
      'overrides no finding with a new hold',
      ['hold h_1'],
      {
        read: found,
        meanwhile: [['moderator', 'request_hold', { finding_id: 'f_1', reason: 'Not without it.' }]],
        call: overrideFinding,
      },
    ],
    [
      'releases no hold whose finding was answered',
      ['finding f_1'],
      {
        read: play(submitted, [findsAndHolds]),
        meanwhile: [respondsTo('f_1')],
        call: ['releaseHold', { hold_id: 'h_1', reason: 'Known.' }],
      },
    ],
    [
      'waives no defect that was fixed',
      ['defect def_1', 'handshake agent_b'],
      {
        read: failed,
        meanwhile: [
          handshake('agent_b', { commit: NEW }),
          ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locked.' }],
        ],
        call: ['waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }],
      },
    ],
    [
      'assigns no defect that was disputed',
      ['finding f_1'],
      {
        read: failed,
        meanwhile: [['agent_b', 'submit_finding', { text: 'It is in your service.', target: 'def_1' }]],
        call: ['reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
      },
    ],
    [
      'carries no pass over to a commit that was declared since',
      ['handshake agent_a'],
      {
        read: staleOf('owner'),
        meanwhile: [redeclared({ [A_COMMIT]: ['src/pay.ts'] }, 'd'.repeat(40))],
        call: ['carryPass', { scenario_id: 'test-reserve', reason: 'Comments.' }],
      },
    ],
    [
      'approves no contract with a new finding',
      ['finding f_1'],
      {
        read: certified,
        meanwhile: [finds({ blocking: false })],
        call: approve,
      },
    ],
    [
      'approves no contract against which the moderator objected, if the moderator was stopped meanwhile',
      ['moderator contract'],
      { read: objected, meanwhile: [['owner', 'stopModerator', {}]], call: approve },
    ],
    [
      'approves no contract against advice that somebody else has answered meanwhile',
      ['recommendation rec_1'],
      {
        read: certified,
        meanwhile: [
          recommends(),
          ['owner', 'respondRecommendation', { recommendation_id: 'rec_1', decision: 'REJECT' }],
        ],
        call: approve,
      },
    ],
    [
      'approves no contract after a question that stopped it and was withdrawn meanwhile',
      ['intervention i_1'],
      {
        read: certified,
        meanwhile: [
          ['moderator', 'ask_agent', { text: 'Who pays twice?', targets: ['agent_a'], blocking: true }],
          ['moderator', 'withdraw_question', { intervention_id: 'i_1' }],
        ],
        call: approve,
      },
    ],
    [
      'approves no contract once the moderator is revoked',
      ['moderator contract'],
      { read: certified, meanwhile: [['owner', 'revoke', { role: 'moderator' }]], call: approve },
    ],
    [
      'approves no contract once the moderator may not review any more',
      ['moderator contract'],
      { read: certified, meanwhile: [['owner', 'grantModerator', { permissions: ['ask'] }]], call: approve },
    ],
    [
      'authorizes no deployment once the moderator is stopped',
      ['moderator contract'],
      { read: releasable, meanwhile: [['owner', 'stopModerator', {}]], call: authorize('deployment') },
    ],
    [
      'overrides no finding of a moderator who was stopped',
      ['moderator contract'],
      { read: found, meanwhile: [['owner', 'stopModerator', {}]], call: overrideFinding },
    ],
    [
      'releases no hold of a moderator who was stopped',
      ['moderator contract'],
      {
        read: play(submitted, [findsAndHolds]),
        meanwhile: [['owner', 'stopModerator', {}]],
        call: ['releaseHold', { hold_id: 'h_1', reason: 'Known.' }],
      },
    ],
    [
      'overrides no review of a moderator who was stopped',
      ['moderator contract'],
      { read: objected, meanwhile: [['owner', 'stopModerator', {}]], call: overrideReview },
    ],
    [
      'returns no later revision to its author',
      ['revision r_2'],
      { read: submitted, meanwhile: [submit('r_1', ANOTHER)], call: ['requestChanges', { reason: 'Shorter.' }] },
    ],
    [
      'appoints no author after a nomination',
      ['nomination agent_a'],
      {
        read: [],
        meanwhile: [['agent_a', 'elect_contract_author', { candidate: 'agent_b', reason: 'Knows it.' }]],
        call: ['appointAuthor', { candidate: 'agent_a' }],
      },
    ],
  ])('%s', (_what, changed, story) => {
    const outcome = decided(story);
    outcome.thenFails('GROUNDS_CHANGED');
    expect(namesIn(outcome.refusal().changed)).toEqual(changed);
    expect(outcome.refusal().head).toMatchObject({ seq: headOf(play(story.read, story.meanwhile)) });
    decidedAgain(story).reply();
  });

  test('approves no contract once the owner admits no moderator any more', () => {
    const seen = headOf(objected);
    const outcome = given([...objected, entitled(false)]).when(approve[0], { ...approve[1], seen } as never, 'owner');
    outcome.thenFails('GROUNDS_CHANGED');
    expect(outcome.refusal().changed).toEqual([
      { record: { type: 'moderator', id: 'contract' }, now: 'not admitted', seq: seen + 1 },
    ]);
  });

  test('authorizes no build on a report that was withdrawn and sent again', () => {
    const report: Call = ['agent_b', 'submit_readiness', rightReport(received, 'agent_b')];
    const again = play(ready, [blockedReport('agent_b'), report]);
    const seen = headOf(ready);
    const confirmed = play(again, [confirmation(again, 'agent_a')]);
    const outcome = given(confirmed).when('authorize', { stage: 'build', seen }, 'owner');
    outcome.thenFails('GROUNDS_CHANGED');
    expect(namesIn(outcome.refusal().changed)).toEqual(['readiness agent_b']);
  });

  test('names what each record is now, the newest first', () => {
    const { changed, message } = decided({
      read: releasable,
      meanwhile: recommitted,
      call: authorize('deployment'),
    }).refusal();
    expect(changed).toEqual([
      { record: { type: 'scenario', id: 'test-expiry' }, now: 'PASSED, attempt 2', seq: expect.any(Number) },
      { record: { type: 'scenario', id: 'test-reserve' }, now: 'PASSED, attempt 2', seq: expect.any(Number) },
      {
        record: { type: 'handshake', id: 'agent_a' },
        now: `commit ${NEW}, declared 2026-01-05T09:00:00.000Z`,
        seq: headOf(releasable) + 1,
      },
    ]);
    expect(message).toBe(
      `Changed since event ${headOf(releasable)}, which you had read: scenario test-expiry (now PASSED, attempt 2), scenario test-reserve (now PASSED, attempt 2), handshake agent_a (now commit ${NEW}, declared 2026-01-05T09:00:00.000Z).`,
    );
  });
});

describe('a decision that does not say what the owner had read', () => {
  test('is refused with what it would rest on', () => {
    const outcome = given(ready).when('authorize', { stage: 'build', seen: null } as never, 'owner');
    outcome.thenFails('INVALID_INPUT');
    const { issues, grounds, head } = outcome.refusal();
    const seq = headOf(ready);
    expect({ issues, head }).toMatchObject({
      issues: [{ path: 'seen', message: `Is required: the head.seq of the answer on which you decide, now ${seq}.` }],
      head: { seq },
    });
    expect(namesIn(grounds)).toEqual(['manifest m_1', 'moderator contract', 'readiness agent_a', 'readiness agent_b']);
  });

  test('is refused first because of the state of the session', () => {
    given(releasable)
      .when('authorize', { stage: 'build', seen: null } as never, 'owner')
      .thenFails('INVALID_TRANSITION', { phase: 'VERIFY', allowed_phases: ['READINESS'] });
  });

  test('cannot name an event of the future', () => {
    const seen = headOf(ready) + 1;
    const { error, message } = given(ready).when('authorize', { stage: 'build', seen }, 'owner').refusal();
    expect({ error, message }).toEqual({
      error: 'INVALID_INPUT',
      message: `seen: Must be at most ${seen - 1}, the number of the latest event.`,
    });
  });
});

describe('a decision that names the event that the owner had read by its hash', () => {
  const { seq: seen, hash } = given(ready).when('view', {}, 'owner').reply().head;
  const build = (more: object, past: readonly PastEvent[] = ready) =>
    given(past).when('authorize', { stage: 'build', seen, ...more } as never, 'owner');

  test.each([
    ['the whole hash', hash],
    ['its first 16 characters', hash.slice(0, 16)],
  ])('is taken with %s', (_what, seen_hash) => {
    build({ seen_hash }).reply();
  });

  test('is taken if the log has grown meanwhile, but not by a record on which it rests', () => {
    const paused: Call = ['owner', 'pause', { reason: 'Lunch.' }];
    build({ seen_hash: hash.slice(0, 16) }, play(ready, [paused])).reply();
  });

  test.each([
    ['another event has the number', { seen_hash: 'f'.repeat(64) }],
    ['the log has no event with the number any more', { seen: seen + 3, seen_hash: hash }],
    ['the number is that of no event', { seen: 0, seen_hash: hash }],
  ])('is refused if %s, with all records as they are now', (_what, named) => {
    const outcome = build(named);
    outcome.thenFails('GROUNDS_CHANGED');
    const { changed, head, message } = outcome.refusal();
    expect(namesIn(changed)).toEqual(['manifest m_1', 'moderator contract', 'readiness agent_a', 'readiness agent_b']);
    expect(head).toEqual({ seq: seen, hash });
    expect(message).toBe(
      `The log no longer has the event ${'seen' in named ? named.seen : seen} that you had read: a restore or a failover replaced it.`,
    );
  });

  test('is refused if the hash is none', () => {
    const { error, message } = build({ seen_hash: '0123456789abcde' }).refusal();
    expect({ error, message }).toEqual({
      error: 'INVALID_INPUT',
      message:
        'seen_hash: Must be 16 to 64 lower-case hexadecimal digits: the beginning of head.hash, or all of it; got "0123456789abcde".',
    });
  });
});

describe('the first of two approvals', () => {
  const TWO = { session: { required_approvals: 2 } } as const;
  const ADA = { id: 'p_1', name: 'Ada', role: 'approver' } as const;
  const BEN = { id: 'p_2', name: 'Ben', role: 'approver' } as const;
  const byAda = (stage: 'approval' | 'deployment', subject: object): PastEvent => ({
    kind: 'approval.given',
    actor: 'owner',
    person: { id: 'p_1', name: 'Ada' },
    data: { stage, ...subject },
  });
  const exactly = { revision_id: 'r_1', content_hash: SAMPLE_HASH };

  test.each<[change: string, readonly PastEvent[], Call]>([
    ['a finding', [...certified, byAda('approval', exactly)], finds({ blocking: false })],
    ['a review of the moderator', [...certified, byAda('approval', exactly)], judges('APPROVE')],
    ['advice', [...releasable, byAda('deployment', { manifest_id: 'm_1', commits: COMMITS })], recommends()],
    [
      'another version of a service',
      [...releasable, byAda('deployment', { manifest_id: 'm_1', commits: COMMITS })],
      handshake('agent_b', { version: '1.0.1' }),
    ],
  ])('counts no more after %s, and can be given again', (_change, past, call) => {
    const changed = play(past, [call], TWO);
    const [name, input]: readonly [OperationName, object] = past.some(({ kind }) => kind === 'build.authorized')
      ? ['authorize', { stage: 'deployment' }]
      : ['approveContract', exactly];
    const step = (events: readonly PastEvent[], person: typeof ADA | typeof BEN) =>
      given(events, TWO).when(name, input as never, person);
    expect(step(changed, BEN).events()[0]).toMatchObject({ kind: 'approval.given', person: { name: 'Ben' } });
    const again = [...changed, ...step(changed, ADA).events()];
    const second = step(again, BEN);
    expect(second.events()[0]).not.toMatchObject({ kind: 'approval.given' });
    expect(second.reply()).toMatchObject({
      approvals: { given: [{ person: { name: 'Ada' } }, { person: { name: 'Ben' } }] },
    });
  });
});

/** `type id` of each record, in alphabetical order. */
const namesIn = (grounds: unknown): string[] =>
  (grounds as readonly { record: { type: string; id: string } }[])
    .map(({ record: { type, id } }) => `${type} ${id}`)
    .toSorted();
