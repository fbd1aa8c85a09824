import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../../support/exchange.ts';
import { restPath } from '../../../support/requests.ts';
import { ask, openService, type Service } from '../../../support/service.ts';
import { stockSession } from '../support/sample-sessions.ts';
import { type Door, isAt, OPERATIONS, requestFor, verdictOf } from '../support/targets.ts';

/**
 * Spec 5.6: agent_b sends the requests that succeed for agent_a. Records for agent_a are unknown to agent_b. Calls open
 * to both builders succeed, with agent_b as author.
 */
const EXPECTED: Readonly<Record<string, readonly [status: number, code: string | null]>> = {
  read_task: [200, null],
  read_session_state: [200, null],
  read_messages: [200, null],
  post_turn: [409, 'NOT_YOUR_TURN'],
  post_evidence: [200, null],
  answer_question: [404, 'UNKNOWN_RECORD'],
  list_decisions: [200, null],
  submit_decision: [200, null],
  accept_decision: [200, null],
  reject_decision: [403, 'OWN_PROPOSAL'],
  withdraw_decision: [403, 'NOT_PROPOSER'],
  elect_contract_author: [200, null],
  list_interventions: [200, null],
  ack_intervention: [404, 'UNKNOWN_RECORD'],
  answer_intervention: [404, 'UNKNOWN_RECORD'],
  poll_actions: [200, null],
  ack_action: [404, 'UNKNOWN_RECORD'],
  complete_action: [404, 'UNKNOWN_RECORD'],
  list_blockers: [200, null],
  get_contract_schema: [200, null],
  validate_contract_draft: [200, null],
  submit_contract: [403, 'NOT_CONTRACT_AUTHOR'],
  propose_revision: [403, 'NOT_CONTRACT_AUTHOR'],
  submit_position: [403, 'NOT_CONTRACT_AUTHOR'],
  patch_contract: [403, 'NOT_CONTRACT_AUTHOR'],
  get_final_plan: [200, null],
  get_revision_diff: [200, null],
  revalidate_contract: [200, null],
  submit_final_review: [200, null],
  get_preflight: [200, null],
  submit_preflight: [403, 'NOT_CONTRACT_AUTHOR'],
  list_findings: [200, null],
  submit_finding: [403, 'NOT_TECHNICAL_REVIEWER'],
  respond_finding: [403, 'NOT_CONTRACT_AUTHOR'],
  resolve_finding: [403, 'NOT_RAISER'],
  list_artifacts: [200, null],
  fetch_artifact: [403, 'ARTIFACT_NOT_ASSIGNED'],
  confirm_receipt: [403, 'ARTIFACT_NOT_ASSIGNED'],
  get_readiness_questions: [200, null],
  submit_readiness: [200, null],
  verify_board: [200, null],
  verify_next: [200, null],
  verify_handshake: [200, null],
  verify_start_attempt: [403, 'NOT_ASSIGNED'],
  verify_submit_evidence: [200, null],
  verify_verify: [403, 'SELF_VERIFICATION'],
  verify_submit_fix: [403, 'NOT_ASSIGNEE'],
  verify_attach: [200, null],
  verify_gate: [403, 'NOT_ASSIGNED'],
};

/** Tools of `EXPECTED` that store an event. */
const WRITES = new Set([
  'post_evidence',
  'submit_decision',
  'accept_decision',
  'elect_contract_author',
  'revalidate_contract',
  'submit_final_review',
  'submit_readiness',
  'verify_handshake',
  'verify_submit_evidence',
  'verify_attach',
]);

let service: Service;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

async function writersAfter(sessionId: string, seq: number): Promise<unknown[]> {
  const events = await service.storage.events(sessionId, seq + 1, seq + 10);
  return events.map(({ body }) => JSON.parse(body).actor);
}

const DOORS: readonly Door[] = ['REST', 'MCP header', 'MCP path'];
const cells = DOORS.flatMap((door) =>
  OPERATIONS.filter(
    (target) => target.kind === 'builder' && isAt(door, target) && target.tool !== 'wait_for_my_turn',
  ).map((target) => [target.tool, door, target] as const),
);

describe('agent B with what is meant for agent A', () => {
  test.each(cells)('calls %s over %s as itself', async (tool, door, target) => {
    const { sessionId, tokens } = await stockSession(service, tool);
    const [status, code] = EXPECTED[tool ?? ''] ?? [];
    const before = (await service.storage.fetch(sessionId, 1_000))?.head.seq ?? 0;
    const bearing = { sessionId, authorization: [`Bearer ${tokens.agent_b}`], segment: tokens.agent_b };
    const verdict = verdictOf(await service.send(requestFor(door, target, bearing)));
    if (code === null) expect(verdict).toBe('200');
    else expect(verdict).toBe(door === 'REST' ? `${status} ${code}` : `200 isError ${code}`);
    expect(await writersAfter(sessionId, before)).toEqual(code === null && WRITES.has(tool ?? '') ? ['agent_b'] : []);
  });
});

test('what is addressed to agent A alone is not listed to agent B', async () => {
  const { sessionId, tokens } = await stockSession(service);
  const lengthFor = async (token: string, route: string) => {
    const { json } = await ask(service, restPath(sessionId, route), token);
    return at(json, route, 'length');
  };
  for (const route of ['actions', 'interventions']) {
    expect(await lengthFor(tokens.agent_a, route)).toBe(1);
    expect(await lengthFor(tokens.agent_b, route)).toBe(0);
  }
});
