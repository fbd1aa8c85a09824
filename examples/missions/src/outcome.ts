import { z } from 'zod';
import type { AgentFace, Json } from './face.ts';
import type { Outcome } from './mission.ts';

const State = z.object({
  phase: z.string(),
  contract_author: z.string().nullable(),
  turn_index: z.int(),
  latest_revision: z.object({ revision_id: z.string(), status: z.string() }).nullable(),
  authorizations: z.object({ build_authorized: z.boolean() }),
  pending_actions: z.array(z.object({ type: z.string() })),
});
const Decisions = z.object({ decisions: z.array(z.object({ decision_id: z.string(), status: z.string() })) });
const Findings = z.object({ findings: z.array(z.object({ finding_id: z.string(), status: z.string() })) });
const Readiness = z.object({
  receipts_missing: z.array(z.string()),
  readiness: z.array(z.object({ by: z.string(), verdict: z.string() })),
});

/** Reads where the session stands, in the form of a mission's `outcome`. Each agent must read the same. */
export async function readOutcome(agent: AgentFace): Promise<Json> {
  const state = State.parse(await agent('read_session_state', {}));
  const { decisions } = Decisions.parse(await agent('list_decisions', {}));
  const { findings } = Findings.parse(await agent('list_findings', {}));
  const { receipts_missing, readiness } = Readiness.parse(await agent('get_readiness_questions', {}));
  const { latest_revision: latest } = state;
  return {
    phase: state.phase,
    contract_author: state.contract_author,
    turns: state.turn_index,
    decisions: Object.fromEntries(decisions.map(({ decision_id, status }) => [decision_id, status])),
    revision: latest && { revision_id: latest.revision_id, status: latest.status },
    findings: Object.fromEntries(findings.map(({ finding_id, status }) => [finding_id, status])),
    receipts_missing,
    ready: readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE').map(({ by }) => by),
    build_authorized: state.authorizations.build_authorized,
    begin_build: state.pending_actions.some(({ type }) => type === 'BEGIN_BUILD'),
  } satisfies Record<keyof Outcome, unknown>;
}
