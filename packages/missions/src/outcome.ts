import { z } from 'zod';
import type { Outcome } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

const State = z.object({
  status: z.string(),
  phase: z.string(),
  contract_author: z.string().nullable(),
  turn_index: z.int(),
  latest_revision: z.object({ revision_id: z.string(), status: z.string() }).nullable(),
  authorizations: z.object({
    build_authorized: z.boolean(),
    deployment_authorized: z.boolean(),
    activation_authorized: z.boolean(),
  }),
});
const Decisions = z.object({ decisions: z.array(z.object({ decision_id: z.string(), status: z.string() })) });
const Findings = z.object({ findings: z.array(z.object({ finding_id: z.string(), status: z.string() })) });
const Readiness = z.object({
  receipts_missing: z.array(z.string()),
  readiness: z.array(z.object({ by: z.string(), verdict: z.string() })),
});
const Board = z.object({
  scenarios: z.array(z.object({ scenario_id: z.string(), status: z.string() })),
  defects: z.array(z.object({ defect_id: z.string(), status: z.string() })),
  certification: z.object({ certified: z.boolean() }),
});

/** Reads the outcome of a session in the form of a mission's `outcome`. Every agent reads the same outcome. */
export async function readOutcome(agent: CallTool): Promise<Json> {
  const state = State.parse(await agent('read_session_state', {}));
  const { decisions } = Decisions.parse(await agent('list_decisions', {}));
  const { findings } = Findings.parse(await agent('list_findings', {}));
  const { receipts_missing, readiness } = Readiness.parse(await agent('get_readiness_questions', {}));
  const { scenarios, defects, certification } = Board.parse(await agent('verify_board', {}));
  const { latest_revision: latest } = state;
  return {
    status: state.status,
    phase: state.phase,
    contract_author: state.contract_author,
    turns: state.turn_index,
    decisions: Object.fromEntries(decisions.map(({ decision_id, status }) => [decision_id, status])),
    revision: latest && { revision_id: latest.revision_id, status: latest.status },
    findings: Object.fromEntries(findings.map(({ finding_id, status }) => [finding_id, status])),
    receipts_missing,
    ready: readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE').map(({ by }) => by),
    authorizations: state.authorizations,
    scenarios: Object.fromEntries(scenarios.map(({ scenario_id, status }) => [scenario_id, status])),
    defects: Object.fromEntries(defects.map(({ defect_id, status }) => [defect_id, status])),
    certified: certification.certified,
  } satisfies Record<keyof Outcome, unknown>;
}
