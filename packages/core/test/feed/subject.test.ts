import { expect, test } from 'vitest';
import { sessionCatalog } from '../../src/areas/catalog.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { answersQuestion, asksBuilders, finds, findsAndHolds, judges, recommends, respondsTo } from '../moderation.ts';
import { acknowledged, asked, directed, intervened, turnPosted } from '../past.ts';
import { attempt, type Call, deployed, evidence, failed, handshake, play, submitted, verdict } from '../story.ts';
import { declaredOf } from '../verify/builds.ts';
import { carriedByOwner, staleOf } from '../verify/carries.ts';
import { GATES, gateRun } from '../verify/gated.ts';
import { BOUND, reported } from '../verify/workflows.ts';

const owner = (name: Call[1], input: Readonly<Record<string, unknown>> = {}): Call => ['owner', name, input];

const planned = play(
  [
    { kind: 'first_turn.chosen', actor: 'owner', data: { first_turn: 'agent_a' } },
    turnPosted('agent_a', 0),
    asked('agent_b', 'q_1', { in_turn: false }),
    intervened('i_1'),
    directed('i_2'),
  ],
  [
    ['agent_a', 'post_evidence', { evidence: [{ kind: 'file', reference: 'src/orders.ts' }] }],
    ['agent_a', 'answer_question', { question_id: 'q_1', answer: '5432' }],
    ['agent_a', 'submit_decision', { topic: 'Store', position: 'PostgreSQL' }],
    ['agent_a', 'accept_decision', { decision_id: 'd_1' }],
    [
      'agent_b',
      'submit_decision',
      { topic: 'Store', position: 'PostgreSQL', evidence: [{ kind: 'log', reference: 'spike.log' }] },
    ],
    ['agent_b', 'reject_decision', { decision_id: 'd_1', reason: 'Too slow.' }],
    ['agent_a', 'submit_decision', { topic: 'Queue', position: 'None' }],
    ['agent_a', 'withdraw_decision', { decision_id: 'd_2', reason: 'Needed.' }],
    ['agent_b', 'answer_intervention', { intervention_id: 'i_1', text: 'We do.' }],
    ['agent_b', 'ack_intervention', { intervention_id: 'i_2' }],
    owner('withdrawIntervention', { intervention_id: 'i_1' }),
    owner('assignAction', { target: 'moderator', text: 'Look at the risks.' }),
    ['moderator', 'complete_action', { action_id: 'act_3' }],
    owner('noteFollowup', { side: 'agent_a', kind: 'fault', text: 'The clock drifts.' }),
    owner('extendRounds', { rounds: 2 }),
    ['agent_a', 'elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' }],
    ['agent_b', 'elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' }],
    owner('pause', { reason: 'Lunch.' }),
    owner('resume'),
    owner('end', { end_reason: 'CANCELLED' }),
  ],
);

const moderated = play(submitted, [
  asksBuilders(),
  answersQuestion('agent_a'),
  ['moderator', 'withdraw_question', { intervention_id: 'i_1' }],
  findsAndHolds,
  respondsTo('f_1'),
  ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }],
  finds(),
  owner('overrideFinding', { finding_id: 'f_2', reason: 'Known.' }),
  judges('REQUEST_CHANGES'),
  owner('overrideReview', { role: 'moderator', reason: 'Known.' }),
  recommends(),
  owner('respondRecommendation', { recommendation_id: 'rec_1', decision: 'ACCEPT' }),
  ['agent_b', 'revalidate_contract', {}],
  owner('requestChanges', { reason: 'Name the error.' }),
]);

const mended = play(failed, [
  owner('reassignDefect', { defect_id: 'def_1', role: 'agent_a' }),
  handshake('agent_a', { commit: 'c'.repeat(40) }),
  ['agent_a', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locked.' }],
  attempt('agent_a', 'test-reserve'),
]);
const AGAIN = { scenario_id: 'test-reserve', attempt: 2 };
const again = (said: string, more: readonly Call[] = []) =>
  play(mended, [
    evidence('agent_a', 'test-reserve', 2, { request_id: 'req-2' }),
    evidence('agent_b', 'test-reserve', 2, { request_id: 'req-2' }),
    verdict('agent_b', 'test-reserve', 2, said),
    ...more,
  ]);

const PASTS: readonly (readonly PastEvent[])[] = [
  planned,
  moderated,
  play(deployed, [owner('authorize', { stage: 'activation' })]),
  again('PASS'),
  play(mended, [['agent_a', 'verify_attach', { ...AGAIN, filename: 'a.log', content: 'YQ==' }]]),
  play(declaredOf({ gates: GATES }), [gateRun()]),
  play(staleOf('owner'), [carriedByOwner()]),
  [
    ...play(deployed, [owner('bindWorkflow', BOUND)]),
    reported('agent_a'),
    { kind: 'workflow.withdrawn', actor: 'owner', data: { role: 'agent_a' } },
  ],
  again('FAIL', [owner('waiveDefect', { defect_id: 'def_1', reason: 'Rare.' })]),
  [
    intervened('i_1'),
    acknowledged('agent_a', 'i_1'),
    {
      kind: 'action.opened',
      actor: 'owner',
      data: { action_id: 'act_1', due_to: 'moderator', type: 'OWNER_TASK', text: 'x' },
    },
    { kind: 'quota.raised', actor: 'owner', data: { role: 'agent_a', quota: 'bytes', limit: 67_108_864 } },
    { kind: 'action.acknowledged', actor: 'moderator', data: { action_id: 'act_1', due_to: 'moderator' } },
  ],
];

/** By kind of event: the type and the id of the record that the first event of this kind concerns. */
const SUBJECTS: Readonly<Record<string, string>> = {
  'action.acknowledged': 'action act_1',
  'action.completed': 'action act_3',
  'action.fulfilled': 'action act_3',
  'action.opened': 'action act_3',
  'activation.authorized': 'manifest m_1',
  'attachment.added': 'scenario test-reserve',
  'attempt.started': 'scenario test-reserve',
  'author.elected': 'session SessionOfTheGivenTests',
  'author.nominated': 'session SessionOfTheGivenTests',
  'build.authorized': 'manifest m_1',
  'changes.requested': 'revision r_1',
  'contract.approved': 'revision r_1',
  'contract.validated': 'revision r_1',
  'decision.accepted': 'decision d_1',
  'decision.proposed': 'decision d_1',
  'decision.rejected': 'decision d_1',
  'decision.substantiated': 'decision d_1',
  'decision.withdrawn': 'decision d_2',
  'defect.closed': 'defect def_1',
  'defect.fixed': 'defect def_1',
  'defect.opened': 'defect def_1',
  'defect.reassigned': 'defect def_1',
  'defect.reopened': 'defect def_1',
  'defect.waived': 'defect def_1',
  'deployment.authorized': 'manifest m_1',
  'evidence.posted': 'turn 0',
  'evidence.reported': 'scenario test-reserve',
  'evidence.submitted': 'scenario test-reserve',
  'finding.overridden': 'finding f_2',
  'finding.raised': 'finding f_1',
  'finding.resolved': 'finding f_1',
  'finding.responded': 'finding f_1',
  'first_turn.chosen': 'session SessionOfTheGivenTests',
  'followup.noted': 'followup fu_1',
  'gate.run': 'gate gate-deploy',
  'handshake.declared': 'agent agent_a',
  'hold.opened': 'hold h_1',
  'hold.released': 'hold h_1',
  'intervention.acknowledged': 'intervention i_2',
  'intervention.answered': 'intervention i_1',
  'intervention.opened': 'intervention i_1',
  'intervention.withdrawn': 'intervention i_1',
  'moderator_review.overridden': 'revision r_1',
  'moderator_review.submitted': 'revision r_1',
  'phase.changed': 'session SessionOfTheGivenTests',
  'preflight.submitted': 'revision r_1',
  'question.answered': 'question q_1',
  'question.asked': 'question q_1',
  'quota.raised': 'agent agent_a',
  'readiness.submitted': 'manifest m_1',
  'readiness.checked': 'manifest m_1',
  'receipt.confirmed': 'artifact shared-contract.json',
  'recommendation.answered': 'recommendation rec_1',
  'recommendation.made': 'recommendation rec_1',
  'review.submitted': 'revision r_1',
  'revision.created': 'revision r_1',
  'rounds.extended': 'session SessionOfTheGivenTests',
  'session.ended': 'session SessionOfTheGivenTests',
  'session.paused': 'session SessionOfTheGivenTests',
  'session.resumed': 'session SessionOfTheGivenTests',
  'session.started': 'session SessionOfTheGivenTests',
  'turn.posted': 'turn 0',
  'verdict.given': 'scenario test-reserve',
  'workflow.accepted': 'agent agent_a',
  'workflow.withdrawn': 'agent agent_a',
  'pass.carried': 'scenario test-reserve',
};

function feedOf(past: readonly PastEvent[]) {
  const events = [];
  for (let after = 0; ; ) {
    const page = given(past).when('get_session_events', { after, limit: 100 }, 'moderator').reply();
    events.push(...page.events);
    if (page.next_cursor === page.head) return events;
    after = page.next_cursor;
  }
}

test('every kind of event that the moderator sees names the record it is about', () => {
  const subjects = new Map<string, string>();
  for (const { kind, subject } of PASTS.flatMap(feedOf))
    if (!subjects.has(kind)) subjects.set(kind, `${subject.type} ${subject.id}`);
  expect(Object.fromEntries(subjects)).toEqual(SUBJECTS);
});

test('no kind of event that the moderator sees is missing here', () => {
  const seen = Object.entries(sessionCatalog).filter(([, { seenBy }]) => seenBy !== 'owner');
  expect(seen.map(([kind]) => kind).toSorted()).toEqual(Object.keys(SUBJECTS).toSorted());
});
