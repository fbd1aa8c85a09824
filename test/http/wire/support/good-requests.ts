import { MODERATOR_PROGRESS, MODERATOR_REQUESTS } from './moderator-requests.ts';
import type { Progress } from './sample-sessions.ts';
import type { Kind } from './specification.ts';
import { ARTIFACT_SHA256, STOCK_CONTRACT, STOCK_HANDSHAKE, STOCK_HASH, STOCK_MAPPINGS } from './stock-contract.ts';

const submission = { contract: STOCK_CONTRACT, expected_parent_id: 'r_1', reason: 'As decided.' };

/** A BLOCKED report is stored even if it does not match the manifest. */
const report = {
  ...{ revision_id: 'r_1', content_hash: STOCK_HASH, verdict: 'BLOCKED', blockers: ['The index is missing.'] },
  ...{ handshake_sha256: 'not known', shared_contract_sha256: 'not known', fixture_version: '1' },
  answers: [{ question_id: 'rq_1', answer: 'task-a' }],
};

/**
 * Maps each tool to an input that succeeds for agent_a in a session of `stockSession`. The moderator's reads accept the
 * same inputs.
 */
const GOOD_REQUESTS: Readonly<Record<string, object>> = {
  read_task: {},
  read_session_state: {},
  wait_for_my_turn: { wait: 25 },
  read_messages: { after: 1 },
  post_turn: { summary: 'The cursor holds the last id.', request_id: 'turn-2' },
  post_evidence: { evidence: [{ kind: 'file', reference: 'src/page.ts:12' }] },
  answer_question: { question_id: 'q_1', answer: 'Yes, by a unique index.' },
  list_decisions: {},
  submit_decision: { topic: 'Page size', position: '100 products.' },
  accept_decision: { decision_id: 'd_2' },
  reject_decision: { decision_id: 'd_2', reason: 'The base is too small.' },
  withdraw_decision: { decision_id: 'd_1', reason: 'The id is enough.' },
  elect_contract_author: { candidate: 'agent_a', reason: 'Owns the catalogue.' },
  list_interventions: {},
  ack_intervention: { intervention_id: 'i_1' },
  answer_intervention: { intervention_id: 'i_1', text: 'No.' },
  poll_actions: {},
  ack_action: { action_id: 'act_1' },
  complete_action: { action_id: 'act_1' },
  list_blockers: {},
  get_contract_schema: {},
  validate_contract_draft: { contract: STOCK_CONTRACT },
  submit_contract: submission,
  propose_revision: submission,
  submit_position: submission,
  patch_contract: {
    ...{ expected_parent_id: 'r_1', reason: 'Another title.' },
    ops: [{ op: 'replace', path: '/title', value: 'Pages' }],
  },
  get_final_plan: {},
  get_revision_diff: { revision_id: 'r_1' },
  revalidate_contract: { revision_id: 'r_1' },
  submit_final_review: { revision_id: 'r_1', content_hash: STOCK_HASH, verdict: 'APPROVE' },
  get_preflight: {},
  submit_preflight: { mappings: STOCK_MAPPINGS },
  list_findings: {},
  submit_finding: { text: 'The limit of a page is missing.', target: '/interfaces/0' },
  respond_finding: { finding_id: 'f_1', decision: 'ACCEPT', response: 'The next one mends it.' },
  resolve_finding: { finding_id: 'f_1', outcome: 'RESOLVED' },
  list_artifacts: {},
  fetch_artifact: { filename: 'handoff-agent-a.md' },
  confirm_receipt: { filename: 'for-agent-a.txt', sha256: ARTIFACT_SHA256 },
  get_readiness_questions: {},
  submit_readiness: report,
  verify_board: {},
  verify_next: {},
  verify_handshake: { ...STOCK_HANDSHAKE, version: '1.4.1' },
  verify_start_attempt: { scenario_id: 'test-pages' },
  verify_submit_evidence: {
    ...{ scenario_id: 'test-pages', attempt: 1, kind: 'log', request_id: 'run-1' },
    ...{ claim: 'Two pages were read.', summary: 'GET /products twice.' },
  },
  verify_verify: { scenario_id: 'test-empty', attempt: 1, verdict: 'FAIL', note: 'One product came twice.' },
  verify_submit_fix: { defect_id: 'def_1', note: 'The cursor holds the id.' },
  verify_attach: { gate_id: 'gate-activation', filename: 'pages.log', content: 'YQ==' },
  verify_gate: {
    gate_id: 'gate-activation',
    run: { argv: ['npm', 'test'], exit_code: 0, duration_ms: 1, commit: 'c0ffee1'.padEnd(40, '0'), dirty: false },
  },
};

export function goodRequest(tool: string, kind: Kind = 'builder'): object {
  const input = (kind === 'moderator' ? MODERATOR_REQUESTS[tool] : undefined) ?? GOOD_REQUESTS[tool];
  if (!input) throw new Error(`Say in ${import.meta.url} with which input ${tool} serves a ${kind}.`);
  return input;
}

/** How far the session must be played for the tool to succeed. For tools that are not listed: `planned`. */
const PROGRESS: Readonly<Record<string, Progress>> = {
  list_blockers: 'written by A',
  validate_contract_draft: 'written by A',
  submit_contract: 'written by A',
  propose_revision: 'written by A',
  submit_position: 'written by A',
  patch_contract: 'written by A',
  get_final_plan: 'written by A',
  get_revision_diff: 'written by A',
  revalidate_contract: 'written by A',
  submit_final_review: 'written by A',
  get_preflight: 'written by A',
  submit_preflight: 'written by A',
  list_findings: 'written by A',
  respond_finding: 'written by A',
  submit_finding: 'written by B',
  resolve_finding: 'written by B',
  list_artifacts: 'approved',
  fetch_artifact: 'approved',
  confirm_receipt: 'approved',
  get_readiness_questions: 'approved',
  submit_readiness: 'approved',
  verify_board: 'built',
  verify_next: 'built',
  verify_handshake: 'built',
  verify_start_attempt: 'built',
  verify_submit_evidence: 'built',
  verify_verify: 'built',
  verify_submit_fix: 'failed',
  verify_attach: 'built',
  verify_gate: 'built',
};

export const progressFor = (tool: string | null, kind: Kind): Progress =>
  (kind === 'moderator' ? MODERATOR_PROGRESS[tool ?? ''] : undefined) ?? PROGRESS[tool ?? ''] ?? 'planned';
