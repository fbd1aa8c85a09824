import type { Role } from '../kernel/roles.ts';

/** REST routes of the tools that an answer can name as the next call. A test compares this table with the registry. */
const BUILDERS_ROUTES: Readonly<Record<string, string>> = {
  wait_for_my_turn: 'GET state?wait=25',
  post_turn: 'POST turns',
  answer_question: 'POST questions/answer',
  ack_intervention: 'POST interventions/ack',
  answer_intervention: 'POST interventions/answer',
  ack_action: 'POST actions/ack',
  complete_action: 'POST actions/complete',
  confirm_receipt: 'POST artifacts/receipt',
  accept_decision: 'POST decisions/accept',
  elect_contract_author: 'POST contract-election',
  submit_contract: 'POST contract',
  patch_contract: 'POST contract/patch',
  submit_preflight: 'POST preflight',
  submit_final_review: 'POST final-review',
  respond_finding: 'POST findings/respond',
  resolve_finding: 'POST findings/resolve',
  list_artifacts: 'GET artifacts',
  get_readiness_questions: 'GET readiness',
  submit_readiness: 'POST readiness',
  verify_handshake: 'POST verify/handshake',
  verify_start_attempt: 'POST verify/attempts',
  verify_submit_evidence: 'POST verify/evidence',
  verify_verify: 'POST verify/verifications',
  verify_submit_fix: 'POST verify/defects/fix',
};

const MODERATORS_ROUTES: Readonly<Record<string, string>> = {
  wait_for_activity: 'GET events?wait=25',
  ack_events: 'POST events/ack',
  complete_action: 'POST moderator/actions/complete',
  resolve_finding: 'POST moderator/findings/resolve',
  release_hold: 'POST moderator/holds/release',
  submit_contract_review: 'POST moderator/reviews',
};

export const ROUTES = { builder: BUILDERS_ROUTES, moderator: MODERATORS_ROUTES };

/**
 * Returns the member `route` of an answer that names `tool`. Empty for a tool without a route, and for an operation of
 * the owner.
 */
export function routeOf(tool: string | null | undefined, role: Role): { readonly route?: string } {
  if (role === 'owner' || typeof tool !== 'string') return {};
  const route = ROUTES[role === 'moderator' ? 'moderator' : 'builder'][tool];
  return route === undefined ? {} : { route };
}
