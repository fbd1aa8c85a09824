import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { elected } from '../past.ts';
import { decided, play, submit, submitted } from '../story.ts';

const said = { text: 'The response has no error for an unknown article.' };
const raised: readonly PastEvent[] = play(submitted, [['agent_b', 'submit_finding', said]]);
const responded = play(raised, [
  ['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It is a 409.' }],
]);

const finding = (past: readonly PastEvent[]) => given(past).when('list_findings', {}, 'agent_a').reply().findings[0];

describe('submit_finding', () => {
  test('is a blocking defect of the latest revision unless the call says otherwise', () => {
    expect(finding(raised)).toEqual({
      finding_id: 'f_1',
      status: 'OPEN',
      raised_by: 'agent_b',
      text: said.text,
      kind: 'DEFECT',
      category: null,
      severity: null,
      resolution_criteria: null,
      target_agents: null,
      blocking: true,
      target: null,
      evidence: [],
      revision_id: 'r_1',
      response: null,
      awaiting: ['agent_a'],
      override_reason: null,
      raised_at: '2026-01-05T09:00:00.000Z',
    });
  });

  test('answers with the stored members except the texts of the caller', () => {
    given(submitted)
      .when('submit_finding', said, 'agent_b')
      .thenReply({
        finding: { finding_id: 'f_1', status: 'OPEN', blocking: true, revision_id: 'r_1', awaiting: ['agent_a'] },
      });
  });

  test('can be called only by the Technical Reviewer', () => {
    given(submitted)
      .when('submit_finding', said, 'agent_a')
      .thenFails('NOT_TECHNICAL_REVIEWER', { technical_reviewer: 'agent_b' });
  });

  test('can be raised before there is a revision', () => {
    const { finding: view } = given(elected('agent_a')).when('submit_finding', said, 'agent_b').reply();
    expect(view.revision_id).toBeNull();
  });

  test('refuses an unknown revision', () => {
    given(submitted)
      .when('submit_finding', { ...said, revision_id: 'r_2' }, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_2' } });
  });
});

describe('respond_finding', () => {
  const answer = { finding_id: 'f_1', decision: 'ACCEPT', response: 'Added.' } as const;

  test('keeps the finding open, as RESPONDED', () => {
    expect(finding(responded)).toMatchObject({
      status: 'RESPONDED',
      response: { decision: 'REJECT', response: 'It is a 409.', fixed_in: null },
    });
  });

  test('accepts a finding, and names the revision that fixes it', () => {
    const past = play(raised, [submit('r_1')]);
    given(past)
      .when('respond_finding', { ...answer, revision_id: 'r_2' }, 'agent_a')
      .thenEvents(
        {
          kind: 'finding.responded',
          actor: 'agent_a',
          data: { finding_id: 'f_1', decision: 'ACCEPT', response: 'Added.', fixed_in: 'r_2', awaiting: [] },
        },
        { kind: 'action.fulfilled', actor: 'system', data: { action_id: 'act_3', due_to: 'agent_a' } },
      );
  });

  test('replaces the earlier response; the same response again stores nothing', () => {
    const later = play(responded, [['agent_a', 'respond_finding', answer]]);
    expect(finding(later)?.response).toMatchObject({ decision: 'ACCEPT', response: 'Added.' });
    given(later).when('respond_finding', answer, 'agent_a').thenEvents();
  });

  test('refuses a fixing revision for a rejected finding', () => {
    given(raised)
      .when('respond_finding', { ...answer, decision: 'REJECT', revision_id: 'r_1' }, 'agent_a')
      .thenFails('INVALID_INPUT', {
        issues: [
          { path: 'revision_id', message: 'A rejected finding has no revision that fixes it: leave revision_id out.' },
        ],
      });
  });

  const NO_FIX =
    'The finding concerns r_2: submit a later revision that fixes it and name that revision, or leave revision_id out.';

  test.each(['r_2', 'r_1'])('refuses %s as the fix of a finding about r_2', (revision_id) => {
    const past = play(submitted, [submit('r_1'), ['agent_b', 'submit_finding', said]]);
    given(past)
      .when('respond_finding', { ...answer, revision_id }, 'agent_a')
      .thenFails('INVALID_INPUT', { issues: [{ path: 'revision_id', message: NO_FIX }] });
    const mended = play(past, [submit('r_2')]);
    expect(finding(play(mended, [['agent_a', 'respond_finding', { ...answer, revision_id: 'r_3' }]]))).toMatchObject({
      response: { decision: 'ACCEPT', fixed_in: 'r_3' },
    });
  });

  test('compares revisions by number, not as text', () => {
    const parents = Array.from({ length: 9 }, (_, index) => (index === 0 ? '' : `r_${index}`));
    const past = play(decided, [...parents.map((parent) => submit(parent)), ['agent_b', 'submit_finding', said]]);
    const mended = play(past, [submit('r_9')]);
    const responding = { ...answer, revision_id: 'r_10' };
    expect(finding(play(mended, [['agent_a', 'respond_finding', responding]]))?.response?.fixed_in).toBe('r_10');
  });

  test('accepts any revision as the fix of a finding that was raised before the first revision', () => {
    const past = play(decided, [['agent_b', 'submit_finding', said], submit('')]);
    const responding = { ...answer, revision_id: 'r_1' };
    expect(finding(play(past, [['agent_a', 'respond_finding', responding]]))?.response?.fixed_in).toBe('r_1');
  });

  test('refuses an unknown id', () => {
    given(raised)
      .when('respond_finding', { ...answer, finding_id: 'f_2' }, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'finding', id: 'f_2' } });
    given(raised)
      .when('respond_finding', { ...answer, revision_id: 'r_9' }, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_9' } });
  });
});

describe('resolve_finding', () => {
  const outcome = { finding_id: 'f_1', outcome: 'RESOLVED' } as const;

  test.each(['RESOLVED', 'WITHDRAWN'] as const)('closes the finding as %s, answered or not', (status) => {
    for (const past of [raised, responded]) {
      const closed = play(past, [['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: status }]]);
      expect(finding(closed)?.status).toBe(status);
    }
  });

  test('keeps a note with the reason in the event, which everybody reads', () => {
    const noted = { ...outcome, note: 'r_2 names the time limit.' };
    const [closed] = given(raised).when('resolve_finding', noted, 'agent_b').events();
    expect(closed).toMatchObject({ kind: 'finding.resolved', actor: 'agent_b', data: noted });
  });

  test('still belongs to the role that raised it if the author changes', () => {
    const swapped = play(raised, [['owner', 'appointAuthor', { candidate: 'agent_b' }]]);
    given(swapped).when('resolve_finding', outcome, 'agent_a').thenFails('NOT_RAISER');
    given(swapped).when('resolve_finding', outcome, 'agent_b').reply();
  });

  test('works only once', () => {
    const closed = play(raised, [['agent_b', 'resolve_finding', outcome]]);
    given(closed).when('resolve_finding', outcome, 'agent_b').thenFails('FINDING_CLOSED', { status: 'RESOLVED' });
    given(closed)
      .when('respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'Added.' }, 'agent_a')
      .thenFails('FINDING_CLOSED', { status: 'RESOLVED' });
  });
});
