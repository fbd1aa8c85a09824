import type { EventBody, EventName } from '@parley/core/client';

const HASH = '5890'.repeat(16);
const commits = { agent_a: 'c02d'.repeat(10), agent_b: '7fa3'.repeat(10) };
const scenario = { scenario_id: 'once', attempt: 1 };
const defect = { defect_id: 'def_1', scenario_id: 'once' };
const at = '2026-11-21T10:00:00.000Z';
const service = { name: 'Shop', repository: 'shop', service: 'shop' };
const validation = { validator_version: '1', error_count: 0, warning_count: 0 };

/** A kind of event by a sample. Members that are left out are as for most kinds. */
interface Sample<K extends EventName> {
  /** The members that each such event has. */
  readonly data: EventBody<K>;
  /** The roles that see it beside the owner; left out: all. `addressee`: the role in `due_to`. */
  readonly seenBy?: 'owner' | 'addressee' | 'moderator';
  /** Whether it is a message; left out: it is. `standalone`: only outside a turn. */
  readonly message?: false | 'standalone';
  /** Left out: it stands in the log of a session. */
  readonly isOfSession?: false;
  /** Type and id of the record that the sample concerns if agent_a causes it; left out: the session. */
  readonly subject?: string;
}

/** Facts of the kinds that stand in logs beside the sessions. No role of a session sees them. */
const BESIDE_SESSIONS = { seenBy: 'owner', message: false, isOfSession: false } as const;

/** Each kind of event. Tests take their rows from here. */
export const EVENTS: { readonly [K in EventName]: Sample<K> } = {
  'session.created': {
    data: {
      owner_id: 'owner',
      title: 'Refunds',
      objective: 'Money back.',
      guardrails: [],
      requirements: [],
      round_limit: 6,
      first_turn: 'agent_a',
      fixture_version: 'fix-1',
      agents: { agent_a: service, agent_b: { ...service, name: 'Ledger' } },
      secret_policy: 'warn',
      moderator_entitled: true,
    },
    seenBy: 'owner',
    message: false,
  },
  'first_turn.chosen': { data: { first_turn: 'agent_a' } },
  'session.started': { data: {} },
  'session.paused': { data: { reason: 'Lunch.' } },
  'session.resumed': { data: {} },
  'session.ended': { data: { end_reason: 'COMPLETED' } },
  'rounds.extended': { data: { rounds: 2, round_limit: 8 } },
  'phase.changed': { data: { from: 'PLANNING', to: 'CONTRACT' } },
  'invitation.created': {
    data: { role: 'agent_a', code_hash: HASH, code_prefix: 'pinv_1', expires_at: at },
    seenBy: 'owner',
    message: false,
  },
  'invitation.redeemed': {
    data: {
      role: 'agent_a',
      code_hash: HASH,
      token_hash: HASH,
      token_prefix: 'prt_1',
      expires_at: at,
    },
    seenBy: 'owner',
    message: false,
  },
  'access.revoked': { data: { role: 'agent_a' }, seenBy: 'owner', message: false },
  'moderator.stopped': { data: {}, seenBy: 'owner', message: false },
  'moderator.restored': { data: {}, seenBy: 'owner', message: false },
  'moderator.granted': { data: { permissions: [] }, seenBy: 'owner', message: false },
  'entitlement.changed': { data: { entitled: true }, seenBy: 'owner', message: false },
  'turn.posted': {
    data: { turn_index: 0, round: 1, next_agent: 'agent_b', summary: 'A summary.' },
    subject: 'turn 0',
  },
  'evidence.posted': {
    data: { turn_index: 0, evidence: [{ kind: 'log', reference: 'spike' }] },
    subject: 'turn 0',
  },
  'question.asked': {
    data: { question_id: 'q_1', to: 'agent_b', text: 'Why?', blocking: false },
    message: 'standalone',
    subject: 'question q_1',
  },
  'question.answered': {
    data: { question_id: 'q_1', answer: 'So.' },
    message: 'standalone',
    subject: 'question q_1',
  },
  'decision.proposed': {
    data: { decision_id: 'd_1', topic: 'Key', position: 'A UUID.', revision: 1 },
    message: 'standalone',
    subject: 'decision d_1',
  },
  'decision.substantiated': {
    data: { decision_id: 'd_1', evidence: [{ kind: 'log', reference: 'spike' }] },
    message: 'standalone',
    subject: 'decision d_1',
  },
  'decision.accepted': { data: { decision_id: 'd_1' }, message: 'standalone', subject: 'decision d_1' },
  'decision.withdrawn': { data: { decision_id: 'd_1', reason: 'No.' }, subject: 'decision d_1' },
  'decision.rejected': {
    data: { decision_id: 'd_1', reason: 'No.' },
    message: 'standalone',
    subject: 'decision d_1',
  },
  'intervention.opened': {
    data: {
      intervention_id: 'i_1',
      type: 'QUESTION',
      text: 'Which?',
      priority: 'NORMAL',
      blocking: false,
      targets: ['agent_a'],
    },
    subject: 'intervention i_1',
  },
  'intervention.acknowledged': {
    data: { intervention_id: 'i_1' },
    message: false,
    subject: 'intervention i_1',
  },
  'intervention.answered': { data: { intervention_id: 'i_1', text: 'This.' }, subject: 'intervention i_1' },
  'intervention.withdrawn': {
    data: { intervention_id: 'i_1', outcome: 'OBSOLETE' },
    subject: 'intervention i_1',
  },
  'action.opened': {
    data: { action_id: 'act_1', due_to: 'agent_a', type: 'OWNER_TASK', text: 'Look.' },
    seenBy: 'addressee',
    message: false,
    subject: 'action act_1',
  },
  'action.acknowledged': {
    data: { action_id: 'act_1', due_to: 'agent_a' },
    seenBy: 'addressee',
    message: false,
    subject: 'action act_1',
  },
  'action.completed': { data: { action_id: 'act_1', due_to: 'agent_a' }, subject: 'action act_1' },
  'action.settled': { data: { action_id: 'act_1', due_to: 'agent_a', type: 'BUILD_TASK' }, seenBy: 'owner' },
  'action.fulfilled': {
    data: { action_id: 'act_1', due_to: 'agent_a' },
    seenBy: 'addressee',
    message: false,
    subject: 'action act_1',
  },
  'author.nominated': { data: { candidate: 'agent_a', reason: 'It knows.' } },
  'author.elected': { data: { contract_author: 'agent_a', technical_reviewer: 'agent_b' } },
  'revision.created': {
    data: {
      revision_id: 'r_1',
      parent_id: null,
      content_hash: HASH,
      bytes: 2,
      title: 'Refunds',
      reason: 'First.',
      ...validation,
    },
    subject: 'revision r_1',
  },
  'contract.validated': {
    data: { run_id: 'run_1', revision_id: 'r_1', content_hash: HASH, ...validation },
    subject: 'revision r_1',
  },
  'changes.requested': { data: { reason: 'Legal.', revision_id: 'r_1' }, subject: 'revision r_1' },
  'finding.raised': {
    data: { finding_id: 'f_1', text: 'It never ends.', blocking: false, revision_id: 'r_1' },
    subject: 'finding f_1',
  },
  'finding.responded': {
    data: { finding_id: 'f_1', decision: 'ACCEPT', response: 'Right.', fixed_in: null },
    subject: 'finding f_1',
  },
  'finding.resolved': { data: { finding_id: 'f_1', outcome: 'RESOLVED' }, subject: 'finding f_1' },
  'finding.overridden': { data: { finding_id: 'f_1', reason: 'Later.' }, subject: 'finding f_1' },
  'followup.noted': {
    data: { followup_id: 'fu_1', side: 'agent_b', kind: 'fault', text: 'The clock drifts.' },
    subject: 'followup fu_1',
  },
  'hold.opened': { data: { hold_id: 'h_1', finding_id: 'f_1', reason: 'Wait.' }, subject: 'hold h_1' },
  'hold.released': { data: { hold_id: 'h_1', finding_id: 'f_1', cause: 'OWNER' }, subject: 'hold h_1' },
  'review.submitted': {
    data: { revision_id: 'r_1', content_hash: HASH, verdict: 'APPROVE', caveats: [] },
    subject: 'revision r_1',
  },
  'moderator_review.submitted': {
    data: {
      revision_id: 'r_1',
      content_hash: HASH,
      verdict: 'COMMENT',
      summary: 'Fine.',
      dimensions: [],
    },
    subject: 'revision r_1',
  },
  'moderator_review.overridden': {
    data: { revision_id: 'r_1', reason: 'No.' },
    subject: 'revision r_1',
  },
  'recommendation.made': {
    data: {
      recommendation_id: 'rec_1',
      recommendation: 'PROCEED',
      text: 'Go.',
      targets: ['agent_a', 'agent_b'],
    },
    seenBy: 'moderator',
    subject: 'recommendation rec_1',
  },
  'recommendation.answered': {
    data: { recommendation_id: 'rec_1', decision: 'ACCEPT' },
    seenBy: 'moderator',
    subject: 'recommendation rec_1',
  },
  'preflight.submitted': {
    data: {
      revision_id: 'r_1',
      mappings: [{ requirement_id: 'req-1', decisions: [], tasks: [], tests: [], gates: [] }],
    },
    subject: 'revision r_1',
  },
  'approval.given': { data: { stage: 'deployment' }, seenBy: 'owner' },
  'contract.approved': {
    data: {
      revision_id: 'r_1',
      content_hash: HASH,
      manifest: {
        manifest_id: 'm_1',
        revision_id: 'r_1',
        content_hash: HASH,
        shared_contract_sha256: HASH,
        handshake_sha256: HASH,
        fixture_version: 'fix-1',
        artifacts: [],
        frozen_at: at,
        manifest_sha256: HASH,
      },
    },
    subject: 'revision r_1',
  },
  'receipt.confirmed': {
    data: { manifest_id: 'm_1', filename: 'contract.md', sha256: HASH },
    subject: 'artifact contract.md',
  },
  'build.authorized': {
    data: { manifest_id: 'm_1', revision_id: 'r_1', content_hash: HASH },
    subject: 'manifest m_1',
  },
  'deployment.authorized': { data: { manifest_id: 'm_1', commits }, subject: 'manifest m_1' },
  'activation.authorized': { data: { manifest_id: 'm_1', commits }, subject: 'manifest m_1' },
  'readiness.submitted': {
    data: {
      manifest_id: 'm_1',
      revision_id: 'r_1',
      verdict: 'READY_TO_CODE',
      blockers: [],
      answers: [],
      mismatches: [],
    },
    subject: 'manifest m_1',
  },
  'readiness.checked': {
    data: { manifest_id: 'm_1', answers_of: 'agent_a', confirmed: [], disputed: [] },
    subject: 'manifest m_1',
  },
  'reading.recorded': {
    data: { revision_id: 'r_1', sections: [{ section: 'tests', sha256: HASH }], reader: 'owner' },
    seenBy: 'owner',
    message: false,
  },
  'handshake.declared': {
    data: {
      service: 'shop',
      version: '2.0',
      commit: commits.agent_a,
      environment: 'staging',
      ready: true,
      dependencies_healthy: true,
      commit_changed: false,
    },
    subject: 'agent agent_a',
  },
  'attachment.added': {
    data: {
      ...{ ...scenario, filename: 'run.log', media_type: 'text/plain', bytes: 9 },
      ...{ sha256: HASH, document: HASH },
    },
    subject: 'scenario once',
  },
  'attempt.started': { data: { ...scenario, commits }, subject: 'scenario once' },
  'evidence.submitted': {
    data: {
      ...scenario,
      kind: 'log',
      claim: 'Booked once.',
      summary: 'One row.',
      request_id: 'run-7',
      assertions: [],
      commit: commits.agent_a,
    },
    subject: 'scenario once',
  },
  'gate.run': {
    data: {
      ...{ gate_id: 'smoke', stage: 'deployment' },
      run: { argv: ['npm', 'test'], exit_code: 0, duration_ms: 9, commit: commits.agent_a, dirty: false },
    },
    subject: 'gate smoke',
  },
  'evidence.reported': {
    data: {
      ...scenario,
      by: 'agent_a',
      kind: 'test_report',
      claim: 'Run 7.',
      summary: 'Sent.',
      request_id: '',
      assertions: [],
      commit: commits.agent_a,
      run: { argv: [], exit_code: 0, commit: commits.agent_a },
      token: { hash: HASH, expires_at: '2026-11-21T09:00:00.000Z' },
    },
    subject: 'scenario once',
  },
  'workflow.accepted': {
    data: {
      role: 'agent_a',
      forge: 'github',
      issuer: 'https://token.actions.githubusercontent.com',
      repository: 'acme/shop',
      workflow: '.github/workflows/ci.yml',
      ref: 'refs/heads/main',
    },
    subject: 'agent agent_a',
  },
  'workflow.withdrawn': { data: { role: 'agent_a' }, subject: 'agent agent_a' },
  'verdict.given': { data: { ...scenario, verdict: 'PASS' }, subject: 'scenario once' },
  'pass.carried': {
    data: { ...scenario, verified: commits, commits, reason: 'Only docs.', changes: [] },
    subject: 'scenario once',
  },
  'defect.opened': { data: { ...defect, attempt: 1, assigned_to: 'agent_b', commits }, subject: 'defect def_1' },
  'defect.reopened': { data: { ...defect, attempt: 2, commits }, subject: 'defect def_1' },
  'defect.fixed': { data: { ...defect, note: 'Locks the row.', commit: commits.agent_b }, subject: 'defect def_1' },
  'defect.closed': { data: { ...defect, attempt: 2 }, subject: 'defect def_1' },
  'defect.waived': { data: { ...defect, reason: 'Old fixtures.' }, subject: 'defect def_1' },
  'defect.reassigned': { data: { ...defect, assigned_to: 'agent_a' }, subject: 'defect def_1' },
  'events.acknowledged': { data: { cursor: 12 }, seenBy: 'owner', message: false },
  'notice.delivered': { data: { wait_id: 'w_1', number: 1, unbroken: true }, seenBy: 'owner', message: false },
  'change.linked': {
    data: {
      role: 'agent_a',
      forge: 'github',
      api: 'https://api.github.com',
      repository: 'o/r',
      new_token: true,
    },
    seenBy: 'owner',
  },
  'change.unlinked': { data: { role: 'agent_a' }, seenBy: 'owner' },
  'status.reported': {
    data: {
      role: 'agent_a',
      context: 'contract',
      commit: commits.agent_a,
      state: 'pending',
      description: 'No revision of the contract is approved yet.',
      result: 'posted',
    },
    seenBy: 'owner',
    message: false,
  },
  'quota.raised': { data: { role: 'agent_a', quota: 'events', limit: 900 }, subject: 'agent agent_a' },
  'person.added': {
    data: { person_id: 'p_1', name: 'Ada', role: 'approver', key_prefix: 'pok_1' },
    ...BESIDE_SESSIONS,
  },
  'person.admitted': {
    data: { person_id: 'p_1', name: 'Ada', role: 'viewer', subject: 'https://id.example ada' },
    ...BESIDE_SESSIONS,
  },
  'person.role_changed': { data: { person_id: 'p_1', name: 'Ada', role: 'viewer' }, ...BESIDE_SESSIONS },
  'person.revoked': { data: { person_id: 'p_1', name: 'Ada' }, ...BESIDE_SESSIONS },
  'person.readmitted': { data: { person_id: 'p_1', name: 'Ada' }, ...BESIDE_SESSIONS },
  'account.added': { data: { account_id: 'a_1', name: 'Team' }, ...BESIDE_SESSIONS },
  'account.limited': { data: { account_id: 'a_1', name: 'Team', limits: { sessions: 10 } }, ...BESIDE_SESSIONS },
  'account.renamed': { data: { account_id: 'a_1', name: 'Team' }, ...BESIDE_SESSIONS },
  'account.closed': { data: { account_id: 'a_1', name: 'Team' }, ...BESIDE_SESSIONS },
  'account.reopened': { data: { account_id: 'a_1', name: 'Team' }, ...BESIDE_SESSIONS },
  'session.erased': { data: { session_id: 's_1', title: 'Refunds', events: 3, head_hash: HASH }, ...BESIDE_SESSIONS },
  'session.not_erased': { data: { session_id: 's_1', title: 'Refunds', head_hash: HASH }, ...BESIDE_SESSIONS },
};

export const EVENT_KINDS = Object.keys(EVENTS) as readonly EventName[];

/** The facts of a kind, with those that the table leaves out. */
export function factsOf(kind: EventName) {
  const sample: Sample<EventName> = EVENTS[kind];
  const { seenBy = 'everyone', message = true, isOfSession = true, subject = 'session' } = sample;
  return { seenBy, message, isOfSession, subject };
}
