import type { Progress } from './sample-sessions.ts';
import { STOCK_HASH } from './stock-contract.ts';

const evidence = [{ kind: 'url', reference: 'https://docs.example/pages' }];

/** Inputs that succeed for tools that only moderators have, and for tools that need another input for a moderator. */
export const MODERATOR_REQUESTS: Readonly<Record<string, object>> = {
  get_moderator_status: {},
  get_session_events: { after: 1, limit: 2, wait: 25 },
  wait_for_activity: { wait_seconds: 25 },
  ack_events: { cursor: 2 },
  get_moderator_findings: {},
  ask_agent: {
    ...{ text: 'Does the cursor survive a restart?', targets: ['agent_b'], priority: 'HIGH', blocking: true, evidence },
    ...{ related_decision_id: 'd_1', related_revision_id: 'r_1' },
  },
  get_moderator_questions: {},
  withdraw_question: { intervention_id: 'i_2', outcome: 'OBSOLETE' },
  submit_moderator_finding: {
    ...{ category: 'SECURITY', text: 'The cursor is not signed.', resolution_criteria: 'It is signed.' },
    ...{ severity: 'HIGH', target_agents: ['agent_a'], target: '/interfaces/0', evidence, blocking: true },
  },
  resolve_finding: { finding_id: 'f_2', outcome: 'RESOLVED' },
  request_hold: { finding_id: 'f_3', reason: 'It touches every page.' },
  release_hold: { hold_id: 'h_1' },
  submit_contract_review: {
    ...{ revision_id: 'r_1', content_hash: STOCK_HASH, verdict: 'COMMENT', summary: 'It reads well.' },
    dimensions: [{ name: 'testability', score: 4, note: 'Two tests.' }],
  },
  get_contract_review: { revision_id: 'r_1' },
  recommend_to_owner: { recommendation: 'PROCEED', text: 'Nothing speaks against it.', targets: ['agent_a'] },
  complete_action: { action_id: 'act_7' },
};

/** How far the session must be played for the moderator's tools to succeed. */
export const MODERATOR_PROGRESS: Readonly<Record<string, Progress>> = Object.fromEntries(
  Object.keys(MODERATOR_REQUESTS).map((tool) => [tool, 'moderated' as const]),
);
