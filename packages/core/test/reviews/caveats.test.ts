import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { type Call, play, review, submit, submitted } from '../story.ts';

const approves = (by: 'agent_a' | 'agent_b', caveats: readonly string[], revision_id = 'r_1'): Call => [
  by,
  'submit_final_review',
  { revision_id, content_hash: SAMPLE_HASH, verdict: 'APPROVE', caveats },
];
const WAL = 'Nobody says who turns the journal on.';
const caveated = play(submitted, [approves('agent_b', [WAL])]);
const answered = play(caveated, [
  ['agent_a', 'respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'The installer does.' }],
]);

const findings = (past: readonly PastEvent[]) => given(past).when('list_findings', {}, 'agent_a').reply().findings;
const due = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b') =>
  given(past)
    .when('read_session_state', {}, role)
    .reply()
    .pending_actions?.filter(({ type }) => type === 'RESPOND_FINDING')
    .map(({ payload }) => payload?.finding_id);
const openCaveats = (past: readonly PastEvent[]) =>
  Object(given(past).when('plan', {}, 'owner').reply()).open_caveats ?? [];

describe('a caveat of an approval', () => {
  test('is a finding that does not block and that the author must answer', () => {
    expect(findings(caveated)).toMatchObject([
      {
        finding_id: 'f_1',
        status: 'OPEN',
        raised_by: 'agent_b',
        text: 'Nobody says who turns the journal on.',
        kind: 'RISK',
        blocking: false,
        caveat: true,
        revision_id: 'r_1',
        awaiting: ['agent_a'],
      },
    ]);
    expect([due(caveated, 'agent_a'), due(caveated, 'agent_b')]).toEqual([['f_1'], []]);
    expect(due(answered, 'agent_a')).toEqual([]);
  });

  test('of the author is answered by the reviewer', () => {
    const past = play(submitted, [approves('agent_a', ['Clocks may differ.'])]);
    expect([due(past, 'agent_a'), due(past, 'agent_b')]).toEqual([[], ['f_1']]);
    const replied = play(past, [
      ['agent_b', 'respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'Mine is synchronised.' }],
    ]);
    expect(findings(replied)[0]?.status).toBe('RESPONDED');
  });

  test('is closed by the builder that raised it', () => {
    const closed = play(answered, [['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }]]);
    expect(openCaveats(closed)).toEqual([]);
    const [whole] = given(closed).when('list_findings', { finding_id: 'f_1' }, 'agent_a').reply().findings;
    expect([whole?.text, whole?.response?.response]).toEqual([
      'Nobody says who turns the journal on.',
      'The installer does.',
    ]);
  });

  test('stays open when a newer revision comes, and is not raised again with the same words', () => {
    const revised = play(caveated, [submit('r_1'), approves('agent_b', [WAL, 'The index is new.', WAL], 'r_2')]);
    expect(findings(revised).map(({ finding_id, text }) => [finding_id, text])).toEqual([
      ['f_1', 'Nobody says who turns the journal on.'],
      ['f_2', 'The index is new.'],
    ]);
  });

  test('is raised again after it was closed', () => {
    const closed = play(answered, [
      ['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }],
      submit('r_1'),
    ]);
    expect(findings(play(closed, [approves('agent_b', [WAL], 'r_2')])).map(({ status }) => status)).toEqual([
      'RESOLVED',
      'OPEN',
    ]);
  });

  test('never prevents the approval, and the owner sees it with its answer before and after', () => {
    const past = play(answered, [review('agent_a')]);
    const shown = [
      {
        finding_id: 'f_1',
        by: 'agent_b',
        revision_id: 'r_1',
        text: 'Nobody says who turns the journal on.',
        answer: { by: 'agent_a', decision: 'REJECT', response: 'The installer does.', fixed_in: null },
      },
    ];
    expect(openCaveats(past)).toMatchObject(shown);
    const approval = given(past).when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner');
    expect(approval.reply()).toMatchObject({ phase: 'READINESS', open_caveats: shown });
  });
});

test('caveats count for the quota of findings', () => {
  const [, name, input] = approves('agent_b', ['Nobody says who turns it off.']);
  given(caveated, { quotas: { findings: 1 } })
    .when(name, input as never, 'agent_b')
    .thenFails('QUOTA_EXHAUSTED', { quota: 'findings', used: 1, limit: 1 });
});

test('a caveat of a request for changes is no finding', () => {
  const past = play(submitted, [
    [
      'agent_b',
      'submit_final_review',
      { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'REQUEST_CHANGES', caveats: [WAL] },
    ],
  ]);
  expect(findings(past)).toEqual([]);
});

test('a caveat in a log of before caveats were findings stays a text of its review', () => {
  const reviewed: PastEvent = {
    kind: 'review.submitted',
    actor: 'agent_b',
    data: { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'APPROVE', caveats: [WAL] },
  };
  expect(findings([...submitted, reviewed])).toEqual([]);
});
