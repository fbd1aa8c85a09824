import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { reportAction, reportedStage } from '../actions/rules.ts';
import { DECIDED_STEPS, stepsOf } from '../approvals/state.ts';
import { Contract } from '../document/contract.ts';
import { EvidenceLevelName } from '../evidence.ts';
import type { SessionState } from '../state.ts';
import { GateStanding, gateStandings } from '../verify/gates.ts';

export const BriefStage = z
  .enum(DECIDED_STEPS)
  .describe('The step: approval of the contract, or authorization of the named stage.')
  .register(documented, { id: 'BriefStage' });
export type BriefStage = z.output<typeof BriefStage>;

const BriefGate = namedObject('BriefGate', {
  ...Contract.shape.gates.element.pick({ id: true, title: true, condition: true }).shape,
  level: EvidenceLevelName.nullable().describe(
    'What met it: recorded is a run, claimed a report in words; null if nothing has.',
  ),
  standing: GateStanding.optional().describe('Of a gate that demands a run: no step is possible before one meets it.'),
});

/** The member of a brief about the gates of the contract. */
export const GATE_FIELDS = {
  gates: z
    .array(BriefGate)
    .describe(
      'The gates of the contract for this stage: what must hold before you authorize it. Empty for the approval.',
    ),
};

/**
 * Lists the gates of a stage.
 * @param text the RFC 8785 form of the contract, or null if there is no revision
 */
export function listGates(
  lists: BoundedLists,
  state: SessionState,
  { stage, text }: { readonly stage: BriefStage; readonly text: string | null },
) {
  const contract = text === null ? null : parseOrNull(text);
  const standings = new Map(gateStandings(state).map((gate) => [gate.gate_id, gate]));
  const isReported = BUILDERS.some((builder) => reportAction(state, builder)?.completed_seq !== undefined);
  const reported = isReported && reportedStage(state) === stage ? ('claimed' as const) : null;
  const all = Contract.shape.gates.safeParse(isRecord(contract) ? contract.gates : []);
  const gates = lists.list({
    records: (all.data ?? []).filter((gate) => stepsOf(stage).includes(gate.stage)),
    view: ({ id, title, condition }) => {
      const standing = standings.get(id);
      return { id, title, condition, level: standing ? standing.level : reported, ...(standing && { standing }) };
    },
    how: () => 'Call contract.',
  });
  return () => ({ gates: gates() });
}
