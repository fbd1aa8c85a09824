import type { Joined } from '../../../support/join-session.ts';
import type { Service } from '../../../support/service.ts';
import { STOCK_CONTRACT, STOCK_HASH } from './stock-contract.ts';

type Prepare = (service: Service, joined: Joined) => unknown;

interface Failure {
  readonly code: string;
  readonly status: number;
  readonly tool: string;
  /** Members to add to an otherwise valid input. */
  readonly extra?: object;
  readonly as?: 'agent_a' | 'agent_b' | 'moderator';
  readonly prepare?: Prepare;
  /** Members that the error must have in addition to its code. */
  readonly details?: object;
}

const end: Prepare = ({ owner }, { sessionId }) => owner.end(sessionId, { end_reason: 'COMPLETED' });
const pause: Prepare = ({ owner }, { sessionId }) => owner.pause(sessionId, { reason: 'Lunch.' });
const agentA = ({ parley }: Service, { tokens }: Joined) => parley.agent(tokens.agent_a);

const SAME_TITLE = { op: 'replace', path: '/title', value: STOCK_CONTRACT.title } as const;
const ANOTHER_HASH = '0'.repeat(64);

const OF_THE_CONTRACT: readonly Failure[] = [
  {
    ...{ code: 'NOT_CONTRACT_AUTHOR', status: 403, tool: 'submit_contract', as: 'agent_b' },
    details: { contract_author: 'agent_a' },
  },
  {
    ...{ code: 'STALE_PARENT', status: 409, tool: 'submit_contract', extra: { expected_parent_id: '' } },
    details: { latest_revision_id: 'r_1' },
  },
  {
    ...{ code: 'STALE_PARENT', status: 409, tool: 'patch_contract', extra: { expected_parent_id: 'r_2' } },
    details: { latest_revision_id: 'r_1' },
  },
  {
    ...{ code: 'PATCH_FAILED', status: 422, tool: 'patch_contract' },
    extra: {
      ops: [
        { op: 'remove', path: '/title' },
        { op: 'replace', path: '/title', value: null },
      ],
    },
    details: { op_index: 1, path: '/title' },
  },
  { code: 'INVALID_INPUT', status: 422, tool: 'submit_position', extra: { contract: [] } },
  { code: 'INVALID_INPUT', status: 422, tool: 'propose_revision', extra: { expected_parent_id: 'latest' } },
  {
    ...{ code: 'UNKNOWN_RECORD', status: 404, tool: 'get_revision_diff', extra: { revision_id: 'r_2' } },
    details: { record: { type: 'revision', id: 'r_2' } },
  },
  {
    ...{ code: 'HASH_MISMATCH', status: 409, tool: 'submit_final_review', extra: { content_hash: ANOTHER_HASH } },
    details: { revision_id: 'r_1' },
  },
  {
    ...{ code: 'STALE_REVISION', status: 409, tool: 'submit_final_review' },
    prepare: (service, joined) =>
      agentA(service, joined).call('patch_contract', { expected_parent_id: 'r_1', reason: 'None.', ops: [SAME_TITLE] }),
    details: { latest_revision_id: 'r_2', latest_content_hash: STOCK_HASH },
  },
  {
    ...{
      code: 'PREFLIGHT_INVALID',
      status: 422,
      tool: 'submit_preflight',
      extra: { mappings: [{ requirement_id: 'saffron-1' }] },
    },
    details: { issues: [{ path: 'mappings[0]', message: 'Names no decision, task, test or gate.' }] },
  },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'respond_finding', extra: { finding_id: 'f_9' } },
  { code: 'NOT_RAISER', status: 403, tool: 'resolve_finding', as: 'agent_b', details: { raised_by: 'agent_a' } },
  {
    ...{ code: 'NOT_TECHNICAL_REVIEWER', status: 403, tool: 'submit_finding', as: 'agent_b' },
    details: { technical_reviewer: 'agent_a' },
  },
  {
    ...{ code: 'FINDING_CLOSED', status: 409, tool: 'resolve_finding' },
    prepare: (service, joined) =>
      agentA(service, joined).call('resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }),
  },
];

const OF_THE_MANIFEST: readonly Failure[] = [
  { code: 'ARTIFACT_NOT_ASSIGNED', status: 403, tool: 'fetch_artifact', extra: { filename: 'handoff-agent-b.md' } },
  {
    ...{ code: 'UNKNOWN_RECORD', status: 404, tool: 'fetch_artifact', extra: { filename: 'handoff-agent-c.md' } },
    details: { record: { type: 'artifact', id: 'handoff-agent-c.md' } },
  },
  {
    ...{ code: 'CHECKSUM_MISMATCH', status: 409, tool: 'confirm_receipt', extra: { sha256: ANOTHER_HASH } },
    details: { filename: 'for-agent-a.txt' },
  },
  {
    ...{ code: 'RECEIPTS_MISSING', status: 409, tool: 'submit_readiness' },
    extra: { verdict: 'READY_TO_CODE', blockers: null },
    details: {
      filenames: ['handoff-agent-a.md', 'for-agent-a.txt', 'for-both.txt'],
    },
  },
  { code: 'INVALID_INPUT', status: 422, tool: 'submit_readiness', extra: { blockers: [] } },
];

const moderator = ({ parley }: Service, { tokens }: Joined) => parley.agent(tokens.moderator);

const OF_THE_MODERATOR: readonly Failure[] = (
  [
    { code: 'INVALID_INPUT', status: 422, tool: 'ack_events', extra: { cursor: 1_000_000 } },
    { code: 'INVALID_INPUT', status: 422, tool: 'get_session_events', extra: { limit: 101 } },
    { code: 'INVALID_INPUT', status: 422, tool: 'submit_moderator_finding', extra: { request_hold: true } },
    {
      ...{ code: 'UNKNOWN_RECORD', status: 404, tool: 'ask_agent', extra: { related_decision_id: 'd_9' } },
      details: { record: { type: 'decision', id: 'd_9' } },
    },
    {
      ...{ code: 'UNKNOWN_RECORD', status: 404, tool: 'withdraw_question', extra: { intervention_id: 'i_1' } },
      details: { record: { type: 'intervention', id: 'i_1' } },
    },
    {
      ...{ code: 'INTERVENTION_CLOSED', status: 409, tool: 'withdraw_question', details: { status: 'WITHDRAWN' } },
      prepare: (service, joined) => moderator(service, joined).call('withdraw_question', { intervention_id: 'i_2' }),
    },
    {
      ...{ code: 'NOT_RAISER', status: 403, tool: 'resolve_finding', extra: { finding_id: 'f_1' } },
      details: { raised_by: 'agent_b' },
    },
    {
      ...{ code: 'FINDING_CLOSED', status: 409, tool: 'request_hold', details: { status: 'WITHDRAWN' } },
      prepare: (service, joined) =>
        moderator(service, joined).call('resolve_finding', { finding_id: 'f_3', outcome: 'WITHDRAWN' }),
    },
    {
      ...{ code: 'HOLD_ACTIVE', status: 409, tool: 'request_hold', extra: { finding_id: 'f_2' } },
      details: { hold_ids: ['h_1'] },
    },
    {
      ...{ code: 'HOLD_CLOSED', status: 409, tool: 'release_hold', details: { hold_id: 'h_1' } },
      prepare: (service, joined) => moderator(service, joined).call('release_hold', { hold_id: 'h_1' }),
    },
    {
      ...{ code: 'HASH_MISMATCH', status: 409, tool: 'submit_contract_review', extra: { content_hash: ANOTHER_HASH } },
      details: { revision_id: 'r_1' },
    },
    { code: 'UNKNOWN_RECORD', status: 404, tool: 'get_contract_review', extra: { revision_id: 'r_9' } },
    { code: 'UNKNOWN_RECORD', status: 404, tool: 'complete_action', extra: { action_id: 'act_1' } },
    {
      ...{ code: 'PERMISSION_DENIED', status: 403, tool: 'recommend_to_owner' },
      prepare: ({ owner }, { sessionId }) => owner.grantModerator(sessionId, { permissions: ['ask'] }),
      details: { required_permission: 'recommend' },
    },
    { code: 'SESSION_NOT_ACTIVE', status: 409, tool: 'ask_agent', prepare: pause },
    { code: 'SESSION_ENDED', status: 409, tool: 'ask_agent', prepare: end },
  ] satisfies readonly Failure[]
).map((failure) => ({ ...failure, as: 'moderator' }));

/** Calls that fail, with the error that each must get. */
export const FAILURES: readonly Failure[] = [
  {
    code: 'NOT_YOUR_TURN',
    status: 409,
    tool: 'post_turn',
    as: 'agent_b',
    details: { next_agent: 'agent_a', turn_index: 2 },
  },
  { code: 'INVALID_INPUT', status: 422, tool: 'post_turn', extra: { summary: '' } },
  { code: 'INVALID_INPUT', status: 422, tool: 'post_turn', extra: { sumary: 'x' } },
  { code: 'INVALID_INPUT', status: 422, tool: 'read_messages', extra: { after: -1 } },
  { code: 'INVALID_INPUT', status: 422, tool: 'read_messages', extra: { after: 1_000_000 } },
  { code: 'INVALID_INPUT', status: 422, tool: 'read_session_state', extra: { wait: 'soon' } },
  { code: 'WRONG_SESSION', status: 403, tool: 'read_task', extra: { session_id: 'AAAAAAAAAAAAAAAAAAAAAA' } },
  { code: 'SESSION_NOT_ACTIVE', status: 409, tool: 'post_turn', prepare: pause },
  { code: 'SESSION_ENDED', status: 409, tool: 'answer_question', prepare: end },
  {
    code: 'UNKNOWN_RECORD',
    status: 404,
    tool: 'accept_decision',
    extra: { decision_id: 'd_9' },
    details: { record: { type: 'decision', id: 'd_9' } },
  },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'answer_question', as: 'agent_b' },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'ack_intervention', as: 'agent_b' },
  { code: 'UNKNOWN_RECORD', status: 404, tool: 'ack_action', as: 'agent_b' },
  { code: 'NOT_PROPOSER', status: 403, tool: 'withdraw_decision', as: 'agent_b' },
  { code: 'OWN_PROPOSAL', status: 403, tool: 'reject_decision', as: 'agent_b' },
  {
    ...{ code: 'DECISION_CLOSED', status: 409, tool: 'withdraw_decision' },
    prepare: (service, joined) =>
      agentA(service, joined).call('withdraw_decision', { decision_id: 'd_1', reason: 'Mine.' }),
  },
  { code: 'POSITION_CHANGED', status: 409, tool: 'submit_decision', extra: { supersedes: 'd_9' } },
  {
    ...{ code: 'ALREADY_ANSWERED', status: 409, tool: 'answer_question' },
    prepare: (service, joined) =>
      agentA(service, joined).call('answer_question', { question_id: 'q_1', answer: 'No.' }),
  },
  {
    ...{ code: 'IDEMPOTENCY_CONFLICT', status: 409, tool: 'post_turn' },
    prepare: (service, joined) =>
      agentA(service, joined).call('post_turn', { summary: 'Other.', request_id: 'turn-2' }),
  },
  {
    ...{ code: 'INTERVENTION_CLOSED', status: 409, tool: 'answer_intervention' },
    prepare: ({ owner }, { sessionId }) => owner.withdrawIntervention(sessionId, { intervention_id: 'i_1' }),
  },
  {
    ...{ code: 'ACTION_CLOSED', status: 409, tool: 'ack_action' },
    prepare: (service, joined) => agentA(service, joined).call('complete_action', { action_id: 'act_1' }),
  },
  ...OF_THE_CONTRACT,
  ...OF_THE_MANIFEST,
  ...OF_THE_MODERATOR,
];
