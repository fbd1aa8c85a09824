import type { Outcome } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

/** Reads the outcome of a session in the form of a mission's `outcome`. Every agent reads the same outcome. */
export async function readOutcome(agent: CallTool): Promise<Json> {
  const state = await agent('read_session_state');
  const { decisions } = await agent('list_decisions');
  const { findings } = await agent('list_findings');
  const { receipts_missing, readiness } = await agent('get_readiness_questions');
  const { scenarios, defects, certification } = await agent('verify_board');
  const { latest_revision: latest } = state;
  return {
    status: state.status,
    phase: state.phase,
    contract_author: state.contract_author,
    turns: state.turn_index,
    decisions: Object.fromEntries(decisions.map(({ decision_id, status }) => [decision_id, status])),
    revision: latest && { revision_id: latest.revision_id, status: latest.status },
    findings: Object.fromEntries(findings.map(({ finding_id, status }) => [finding_id, status])),
    receipts_missing: receipts_missing.map((name) => (name === handoffOf(state.your_role) ? 'handoff.md' : name)),
    ready: readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE').map(({ by }) => by),
    authorizations: state.authorizations,
    scenarios: Object.fromEntries(scenarios.map(({ scenario_id, status }) => [scenario_id, status])),
    defects: Object.fromEntries(defects.map(({ defect_id, status }) => [defect_id, status])),
    certified: certification?.certified,
  } satisfies Record<keyof Outcome, unknown>;
}

const handoffOf = (role: string | undefined): string => `handoff-${role?.replace('_', '-')}.md`;
