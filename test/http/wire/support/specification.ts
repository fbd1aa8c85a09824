/** A row in the tables of the interface specification: tool, route below /sessions/{id}/, and scope or permission. */
type Row = readonly [tool: string, route: string | null, grant: string | null];

/** The table of Spec 4.2. */
const BUILDER_ROWS: readonly Row[] = [
  ['read_task', 'GET task', 'read_task'],
  ['read_session_state', 'GET state', 'read_session_state'],
  ['wait_for_my_turn', null, 'read_session_state'],
  ['read_messages', 'GET messages', 'read_messages'],
  ['get_final_plan', 'GET plan', 'get_final_plan'],
  ['post_turn', 'POST turns', 'post_turn'],
  ['post_evidence', 'POST evidence', 'post_evidence'],
  ['submit_position', 'POST plan', 'submit_position'],
  ['propose_revision', 'POST plan-revision', 'submit_contract'],
  ['submit_final_review', 'POST final-review', 'submit_final_review'],
  ['poll_actions', 'GET actions', 'read_session_state'],
  ['ack_action', 'POST actions/ack', 'read_session_state'],
  ['complete_action', 'POST actions/complete', 'read_session_state'],
  ['list_interventions', 'GET interventions', 'read_session_state'],
  ['ack_intervention', 'POST interventions/ack', 'answer_question'],
  ['answer_intervention', 'POST interventions/answer', 'answer_question'],
  ['list_decisions', 'GET decisions', 'read_session_state'],
  ['submit_decision', 'POST decisions', 'submit_position'],
  ['accept_decision', 'POST decisions/accept', 'submit_position'],
  ['withdraw_decision', 'POST decisions/withdraw', 'submit_position'],
  ['reject_decision', 'POST decisions/reject', 'submit_position'],
  ['answer_question', 'POST questions/answer', 'answer_question'],
  ['get_contract_schema', 'GET contract-schema', 'get_contract_schema'],
  ['validate_contract_draft', 'POST contract/validate', 'get_contract_schema'],
  ['list_blockers', 'GET contract-blockers', 'read_session_state'],
  ['elect_contract_author', 'POST contract-election', 'elect_contract_author'],
  ['submit_contract', 'POST contract', 'submit_contract'],
  ['patch_contract', 'POST contract/patch', 'submit_contract'],
  ['get_revision_diff', 'GET contract/diff', 'get_final_plan'],
  ['revalidate_contract', 'POST contract/revalidate', 'get_final_plan'],
  ['get_preflight', 'GET preflight', 'get_contract_schema'],
  ['submit_preflight', 'POST preflight', 'submit_contract'],
  ['list_findings', 'GET findings', 'read_session_state'],
  ['submit_finding', 'POST findings', 'submit_final_review'],
  ['respond_finding', 'POST findings/respond', 'submit_contract'],
  ['resolve_finding', 'POST findings/resolve', 'submit_final_review'],
  ['get_readiness_questions', 'GET readiness', 'get_final_plan'],
  ['submit_readiness', 'POST readiness', 'submit_final_review'],
  ['list_artifacts', 'GET artifacts', 'get_final_plan'],
  ['fetch_artifact', 'GET artifacts/fetch', 'get_final_plan'],
  ['confirm_receipt', 'POST artifacts/receipt', 'submit_final_review'],
  ['verify_board', 'GET verify/board', 'verify_read'],
  ['verify_next', 'GET verify/next', 'verify_read'],
  ['verify_handshake', 'POST verify/handshake', 'verify_execute'],
  ['verify_start_attempt', 'POST verify/attempts', 'verify_execute'],
  ['verify_submit_evidence', 'POST verify/evidence', 'verify_execute'],
  ['verify_verify', 'POST verify/verifications', 'verify_execute'],
  ['verify_submit_fix', 'POST verify/defects/fix', 'verify_execute'],
];

/** The table of Spec 4.3. */
const MODERATOR_ROWS: readonly Row[] = [
  ['read_task', 'GET task', null],
  ['read_session_state', 'GET state', null],
  ['get_moderator_status', 'GET moderator/status', null],
  ['get_session_events', 'GET events', null],
  ['ack_events', 'POST events/ack', null],
  ['read_messages', 'GET messages', null],
  ['get_final_plan', 'GET plan', null],
  ['list_blockers', 'GET contract-blockers', null],
  ['verify_board', 'GET verify/board', null],
  ['list_decisions', 'GET decisions', null],
  ['get_moderator_findings', 'GET findings', null],
  ['ask_agent', 'POST moderator/questions', 'ask'],
  ['get_moderator_questions', 'GET moderator/questions/list', null],
  ['withdraw_question', 'POST moderator/withdraw', null],
  ['submit_moderator_finding', 'POST moderator/findings', 'find'],
  ['resolve_finding', 'POST moderator/findings/resolve', null],
  ['request_hold', 'POST moderator/holds', 'hold'],
  ['release_hold', 'POST moderator/holds/release', null],
  ['submit_contract_review', 'POST moderator/reviews', 'review'],
  ['get_contract_review', 'GET moderator/reviews/list', null],
  ['recommend_to_owner', 'POST moderator/recommend', 'recommend'],
  ['complete_action', 'POST moderator/actions/complete', null],
  ['wait_for_activity', null, null],
];

/** Spec 4.3: older tool names that a moderator's tools/call accepts, with the current name of each tool. */
export const OLDER_NAMES: Readonly<Record<string, string>> = {
  list_findings: 'get_moderator_findings',
  ask_agents: 'ask_agent',
  withdraw_intervention: 'withdraw_question',
  raise_finding: 'submit_moderator_finding',
};

export type Kind = 'builder' | 'moderator';

/** What the specification requires of one operation for one kind of token. */
export interface Specified {
  readonly tool: string;
  readonly kind: Kind;
  readonly route: string | null;
  /** The scope that a builder needs, or the permission that a moderator needs. Null if none is needed. */
  readonly grant: string | null;
}

const specifiedFor =
  (kind: Kind) =>
  ([tool, route, grant]: Row): Specified => ({ tool, kind, route, grant });

export const SPECIFIED: readonly Specified[] = [
  ...BUILDER_ROWS.map(specifiedFor('builder')),
  ...MODERATOR_ROWS.map(specifiedFor('moderator')),
];

/** Spec 5.8: the scopes of every builder's token. */
export const FIFTEEN_SCOPES = [
  'answer_question',
  'ask_agent',
  'elect_contract_author',
  'get_contract_schema',
  'get_final_plan',
  'post_evidence',
  'post_turn',
  'read_messages',
  'read_session_state',
  'read_task',
  'submit_contract',
  'submit_final_review',
  'submit_position',
  'verify_execute',
  'verify_read',
] as const;

/** Spec 5: the possible permissions of a moderator. */
export const FIVE_PERMISSIONS = ['ask', 'find', 'hold', 'review', 'recommend'] as const;

export const CHALLENGE = 'Bearer realm="parley", error="invalid_token"';
/** RFC 6750, section 3.1: the challenge after a request without credentials contains no error. */
export const BARE_CHALLENGE = 'Bearer realm="parley"';
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
