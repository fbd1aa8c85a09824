import type { CallTool, Json } from '@parley/missions';

/** The builders' REST route of each tool, relative to `{base_url}/sessions/{session_id}/`. */
const ROUTES = {
  read_task: 'GET task',
  read_session_state: 'GET state',
  wait_for_my_turn: 'GET state',
  read_messages: 'GET messages',
  post_turn: 'POST turns',
  post_evidence: 'POST evidence',
  answer_question: 'POST questions/answer',
  poll_actions: 'GET actions',
  ack_action: 'POST actions/ack',
  complete_action: 'POST actions/complete',
  list_interventions: 'GET interventions',
  ack_intervention: 'POST interventions/ack',
  answer_intervention: 'POST interventions/answer',
  list_decisions: 'GET decisions',
  submit_decision: 'POST decisions',
  accept_decision: 'POST decisions/accept',
  withdraw_decision: 'POST decisions/withdraw',
  reject_decision: 'POST decisions/reject',
  elect_contract_author: 'POST contract-election',
  get_contract_schema: 'GET contract-schema',
  validate_contract_draft: 'POST contract/validate',
  submit_contract: 'POST contract',
  patch_contract: 'POST contract/patch',
  get_final_plan: 'GET plan',
  get_revision_diff: 'GET contract/diff',
  list_blockers: 'GET contract-blockers',
  get_preflight: 'GET preflight',
  submit_preflight: 'POST preflight',
  list_findings: 'GET findings',
  submit_finding: 'POST findings',
  respond_finding: 'POST findings/respond',
  resolve_finding: 'POST findings/resolve',
  submit_final_review: 'POST final-review',
  list_artifacts: 'GET artifacts',
  fetch_artifact: 'GET artifacts/fetch',
  confirm_receipt: 'POST artifacts/receipt',
  get_readiness_questions: 'GET readiness',
  submit_readiness: 'POST readiness',
  verify_board: 'GET verify/board',
  verify_next: 'GET verify/next',
  verify_handshake: 'POST verify/handshake',
  verify_start_attempt: 'POST verify/attempts',
  verify_submit_evidence: 'POST verify/evidence',
  verify_verify: 'POST verify/verifications',
  verify_submit_fix: 'POST verify/defects/fix',
} as const;

/** The moderator's REST route of each tool, relative to `{base_url}/sessions/{session_id}/`. */
const MODERATORS_ROUTES = {
  read_task: 'GET task',
  read_session_state: 'GET state',
  get_moderator_status: 'GET moderator/status',
  get_session_events: 'GET events',
  ack_events: 'POST events/ack',
  read_messages: 'GET messages',
  get_final_plan: 'GET plan',
  list_blockers: 'GET contract-blockers',
  verify_board: 'GET verify/board',
  list_decisions: 'GET decisions',
  get_moderator_findings: 'GET findings',
  ask_agent: 'POST moderator/questions',
  get_moderator_questions: 'GET moderator/questions/list',
  withdraw_question: 'POST moderator/withdraw',
  submit_moderator_finding: 'POST moderator/findings',
  resolve_finding: 'POST moderator/findings/resolve',
  request_hold: 'POST moderator/holds',
  release_hold: 'POST moderator/holds/release',
  submit_contract_review: 'POST moderator/reviews',
  get_contract_review: 'GET moderator/reviews/list',
  recommend_to_owner: 'POST moderator/recommend',
  complete_action: 'POST moderator/actions/complete',
} as const;

/** The result of redeeming an invitation code. The token is valid for 24 hours. */
export interface Pass {
  readonly session_id: string;
  readonly token: string;
  /** `agent_a`, `agent_b` or `moderator`. */
  readonly role: string;
}

/**
 * Redeems an invitation code.
 *
 * @param baseUrl address of the agents' REST interface; its path ends in /api/public/agent
 */
export async function redeem(baseUrl: string, code: string, clientType = 'fetch'): Promise<Pass> {
  const body = JSON.stringify({ code, client_type: clientType });
  const { session_id, token, role } = await send(`${baseUrl}/invitations/redeem`, { method: 'POST', body });
  return { session_id: String(session_id), token: String(token), role: String(role) };
}

/**
 * Returns a function that calls the tools of the agent with this token.
 *
 * If the service refuses a call, the function rejects with an Error whose `cause` is the error body. Some answers of
 * the service contain a `route` for the next call. If the caller passes it, the function uses it instead of the tool's
 * route in `ROUTES` or `MODERATORS_ROUTES`.
 */
export function restAgent(baseUrl: string, { session_id, token, role }: Pass): CallTool {
  const headers = { authorization: `Bearer ${token}` };
  const routes = role === 'moderator' ? MODERATORS_ROUTES : ROUTES;
  return (tool, input, { route = routeOf(tool, routes) } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const url = `${baseUrl}/sessions/${session_id}/${path}`;
    return method === 'GET'
      ? send(`${url}?${queryOf(input)}`, { headers })
      : send(url, { method, headers, body: JSON.stringify(input) });
  };
}

function routeOf(tool: string, routes: Readonly<Record<string, string>>): string {
  const route = Object.entries(routes).find(([name]) => name === tool)?.[1];
  if (!route) throw new Error(`There is no route for ${tool}.`);
  return route;
}

const queryOf = (input: Json): URLSearchParams =>
  new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]));

async function send(url: string, request: RequestInit): Promise<Json> {
  const response = await fetch(url, request);
  const body = (await response.json()) as Json;
  if (!response.ok)
    throw new Error(`${response.status} ${String(body.error)}: ${String(body.message)}`, { cause: body });
  return body;
}
