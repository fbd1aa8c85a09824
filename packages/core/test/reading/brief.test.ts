import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import { describeOwner } from '../describe-access.ts';
import { finds, found, recommends } from '../moderation.ts';
import { proposed } from '../past.ts';
import {
  awaiting,
  type Call,
  COMMITS,
  certified,
  deployed,
  failed,
  firstPassed,
  play,
  ready,
  releasable,
  reported,
  submit,
  submitted,
} from '../story.ts';

type Stage = 'approval' | 'build' | 'deployment' | 'activation';
const briefed = (past: readonly PastEvent[], stage: Stage = 'approval') =>
  given(past).when('brief', { stage }, 'owner').reply();

const readAll: Call = ['owner', 'markRead', { revision_id: 'r_1', sections: ['all'] }];
const override: Call = ['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Known.' }];

describe('brief', () => {
  describeOwner('brief', { input: { stage: 'approval' }, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('without a stage is about the next step in the phase of the session', () => {
    const stageOf = (past: readonly PastEvent[]) => given(past).when('brief', {}, 'owner').reply().stage;
    expect([[], certified, ready, releasable, deployed].map(stageOf)).toEqual([
      'approval',
      'approval',
      'build',
      'deployment',
      'activation',
    ]);
  });

  test('says what is missing', () => {
    expect(briefed([]).missing).toEqual(['The session is in PLANNING, not in CONTRACT.', 'There is no revision yet.']);
    expect(briefed(submitted).missing).toEqual([
      'REVIEW_MISSING on r_1/agent_b, due from agent_b.',
      'REVIEW_MISSING on r_1/agent_a, due from agent_a.',
    ]);
    expect(briefed(reported, 'build').missing).toEqual([
      'agent_a has not checked the answers of the other agent.',
      'agent_b has not checked the answers of the other agent.',
    ]);
    expect(briefed(certified, 'build').missing).toEqual([
      'The session is in CONTRACT, not in READINESS.',
      'No contract is approved.',
    ]);
    expect(briefed(firstPassed, 'deployment').missing[0]).toBe(
      'SCENARIOS_PASSED: Scenarios that have not passed: test-expiry READY.',
    );
  });

  test('counts the changes since the last reading, and names the sections that were not read', () => {
    const past = play(submitted, [
      readAll,
      submit('r_1', changed({ title: 'Stock', scope: { in: ['All.'], out: ['Payments.'] }, fixture_version: '1' })),
    ]);
    const { since, revision_id, changes, unread } = briefed(past);
    expect({ since, revision_id, changes, unread }).toEqual({
      since: 'r_1',
      revision_id: 'r_2',
      changes: [
        { section: 'title', count: 1 },
        { section: 'scope', count: 1 },
      ],
      unread: ['title', 'scope'],
    });
    expect(briefed(play(past, [['owner', 'markRead', { revision_id: 'r_2', sections: ['scope'] }]])).unread).toEqual([
      'title',
    ]);
  });

  test('counts members that the owner reads under one heading as one section', () => {
    const readingAfter = (...sections: readonly string[]) =>
      briefed(play(submitted, [['owner', 'markRead', { revision_id: 'r_1', sections }]])).reading;
    expect(briefed(submitted).reading).toEqual({ read: 0, of: 12 });
    expect(readingAfter('requirements')).toEqual({ read: 1, of: 12 });
    expect(readingAfter('safety_conditions')).toEqual({ read: 0, of: 12 });
    expect(readingAfter('risks')).toEqual({ read: 1, of: 12 });
    expect(readingAfter('all')).toEqual({ read: 12, of: 12 });
    const strange = play(submitted, [submit('r_1', { ...changed({}), surprise: 1, another: 2 })]);
    expect(briefed(strange).reading).toEqual({ read: 0, of: 13 });
    expect(briefed(ready, 'build').reading).toEqual({ read: 0, of: 0 });
  });

  describe('names your requests for changes', () => {
    const asks = (reason: string): Call => ['owner', 'requestChanges', { reason }];
    const mends = (parent: string, reason: string, title: string, causes: readonly string[] = []): Call => [
      'agent_a',
      'submit_contract',
      { contract: changed({ title }), expected_parent_id: parent, reason, causes },
    ];
    const asked = play(submitted, [readAll, asks('Say what CAPTURE_UNKNOWN is.')]);
    const answered = play(asked, [mends('r_1', 'CAPTURE_UNKNOWN is explained in the scope.', 'Two')]);

    test('with the revision that answers each, and what it says', () => {
      expect(briefed(answered).requests).toEqual([
        {
          message_id: expect.any(Number),
          requested_at: '2026-01-05T09:00:00.000Z',
          returned: 'r_1',
          text: 'Say what CAPTURE_UNKNOWN is.',
          answered_by: 'r_2',
          answer: 'CAPTURE_UNKNOWN is explained in the scope.',
          is_named: false,
        },
      ]);
    });

    test('with the first revision whose causes name the request', () => {
      const id = briefed(answered).requests[0]?.message_id;
      const named = play(answered, [
        mends('r_2', 'It is fulfilled.', 'Three', [String(id)]),
        mends('r_3', 'A typo.', 'Four'),
      ]);
      expect(briefed(named).requests).toMatchObject([
        { message_id: id, answered_by: 'r_3', answer: 'It is fulfilled.', is_named: true },
      ]);
    });

    test('that no revision answers yet', () => {
      expect(briefed(asked).requests).toMatchObject([
        { text: 'Say what CAPTURE_UNKNOWN is.', answered_by: null, answer: null, is_named: false },
      ]);
    });

    test('since the last reading, and the latest one in any case', () => {
      const read = (past: readonly PastEvent[], id: string) =>
        play(past, [['owner', 'markRead', { revision_id: id, sections: ['all'] }]]);
      const second = play(read(answered, 'r_2'), [asks('And the rollback.'), mends('r_2', 'Rollback added.', 'Three')]);
      expect(briefed(second).requests.map(({ text }) => text)).toEqual(['And the rollback.']);
      const third = play(read(second, 'r_3'), [mends('r_3', 'A typo.', 'Four')]);
      expect(briefed(third).requests.map(({ text }) => text)).toEqual(['And the rollback.']);
    });

    test('each of several that were made before one revision, whose causes name some of them', () => {
      const twice = play(asked, [asks('And the rollback.')]);
      const ids = briefed(twice).requests.map(({ message_id }) => message_id);
      expect(briefed(twice).requests).toMatchObject([
        { text: 'Say what CAPTURE_UNKNOWN is.', answered_by: null },
        { text: 'And the rollback.', answered_by: null },
      ]);
      const mended = play(twice, [mends('r_1', 'Rollback added.', 'Two', [String(ids[1])])]);
      expect(briefed(mended).requests).toMatchObject([
        { message_id: ids[0], answered_by: 'r_2', is_named: false },
        { message_id: ids[1], answered_by: 'r_2', is_named: true },
      ]);
      const changes = given(mended).when('changes', {}, 'owner').reply();
      expect(changes.revisions.map(({ causes }) => causes)).toEqual([[{ type: 'change_request', id: String(ids[1]) }]]);
    });

    test('for the approval only', () => {
      expect(briefed(answered, 'build').requests).toEqual([]);
      expect(briefed(submitted).requests).toEqual([]);
    });
  });

  test('lists no changes of the contract after its approval', () => {
    const { since, changes, unread, decisions_added } = briefed(ready, 'build');
    expect({ since, changes, unread, decisions_added }).toEqual({
      since: 'r_1',
      changes: [],
      unread: [],
      decisions_added: [],
    });
  });

  test('lists the decisions since the last reading, and what replaced which', () => {
    const before = briefed(submitted);
    expect(before.decisions_added.map(({ decision_id }) => decision_id)).toEqual(['d_1']);
    const past = [
      ...play(submitted, [readAll, submit('r_1', changed({ title: 'Stock' }))]),
      proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }),
      proposed('agent_b', 'd_3', { topic: 'Queue', position: 'None' }),
    ];
    const { decisions_added, decisions_superseded } = briefed(past);
    expect(decisions_added).toEqual([
      {
        decision_id: 'd_2',
        topic: 'Store',
        status: 'PROPOSED',
        proposed_by: 'agent_b',
        supersedes: 'd_1',
        changes: '[-PostgreSQL 15-]{+SQLite+}',
      },
      {
        decision_id: 'd_3',
        topic: 'Queue',
        status: 'PROPOSED',
        proposed_by: 'agent_b',
        supersedes: null,
        position: 'None',
      },
    ]);
    expect(decisions_superseded).toEqual([{ decision_id: 'd_1', topic: 'Store', superseded_by: 'd_2' }]);
  });

  test('compares a decision with the one that the read revision cites, not with those that came between', () => {
    const past = [
      ...play(submitted, [readAll]),
      proposed('agent_b', 'd_2', { position: 'MySQL', revision: 2, supersedes: 'd_1' }),
      proposed('agent_b', 'd_3', { position: 'SQLite', revision: 3, supersedes: 'd_2' }),
    ];
    const revised = play(past, [submit('r_1', changed({ decisions: ['d_3'] }))]);
    const { decisions_added, decisions_superseded } = briefed(revised);
    expect(decisions_added).toMatchObject([
      { decision_id: 'd_3', supersedes: 'd_1', changes: '[-PostgreSQL 15-]{+SQLite+}' },
    ]);
    expect(decisions_superseded).toEqual([{ decision_id: 'd_1', topic: 'Store', superseded_by: 'd_3' }]);
  });

  test('lists findings that were overridden or withdrawn, by whom and why', () => {
    const past = play(found, [
      override,
      finds({ text: 'No alarm.' }),
      ['moderator', 'resolve_finding', { finding_id: 'f_2', outcome: 'WITHDRAWN' }],
      finds({ text: 'No log.' }),
    ]);
    expect(briefed(past).findings_put_aside).toEqual([
      {
        finding_id: 'f_1',
        status: 'OVERRIDDEN',
        raised_by: 'moderator',
        blocking: true,
        by: 'owner',
        reason: 'Known.',
        text: 'Nothing undoes a failed release.',
      },
      {
        finding_id: 'f_2',
        status: 'WITHDRAWN',
        raised_by: 'moderator',
        blocking: true,
        by: 'moderator',
        reason: null,
        text: 'No alarm.',
      },
    ]);
  });

  test('shows the advice of the moderator on this step, or since when it is awaited', () => {
    const before = briefed(releasable, 'deployment').moderator;
    expect(before).toMatchObject({ takes_part: true, review: null, open_advice: [], last_advice: null });
    expect(before.awaited_since).toMatch(/^2026-01-05T/);
    const after = briefed(play(releasable, [recommends('PROCEED')]), 'deployment').moderator;
    expect(after).toMatchObject({ awaited_since: null, last_advice: { recommendation: 'PROCEED', answer: null } });
    expect(after.open_advice.map(({ recommendation_id }) => recommendation_id)).toEqual(['rec_1']);
    const stopped = briefed(play(releasable, [['owner', 'stopModerator', {}]]), 'deployment').moderator;
    expect(stopped).toMatchObject({ takes_part: false, awaited_since: null });
  });

  test('names both commits, deviations and defects for a release', () => {
    const deviations = ['The second run took 3 s.'];
    const past = play(awaiting, [
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', deviations }],
    ]);
    const { handshakes, deviations: shown } = briefed(past, 'deployment');
    expect(handshakes.map(({ by, commit }) => ({ by, commit }))).toEqual([
      { by: 'agent_a', commit: COMMITS.agent_a },
      { by: 'agent_b', commit: COMMITS.agent_b },
    ]);
    expect(shown).toEqual([{ scenario_id: 'test-reserve', attempt: 1, by: 'agent_b', deviations }]);
    const reassigned = play(failed, [
      ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
      ['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'The fixture.' }],
    ]);
    expect(briefed(reassigned, 'activation').defects_reassigned).toEqual(['def_1']);
    expect(briefed(reassigned, 'activation').defects).toMatchObject([
      { defect_id: 'def_1', status: 'WAIVED', assigned_to: 'agent_a', waiver_reason: 'The fixture.' },
    ]);
  });

  test('refuses another stage', () => {
    given(certified)
      .when('brief', { stage: 'contract' } as never, 'owner')
      .thenFails('INVALID_INPUT');
  });
});
