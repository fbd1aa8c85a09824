import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { actionEvents } from '../actions/events.ts';
import { reportAction } from '../actions/gate-reports.ts';
import { BuilderRole, DefectId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { storedData } from '../stored-data.ts';
import { Deviation, deviatingPasses } from '../verify/certification.ts';
import { DefectView, HandshakeView } from '../verify/record.ts';
import { isStanding } from '../verify/rules.ts';
import { scenariosOf } from '../verify/scenarios/scenarios.ts';
import { CarriedPassView, viewCarriedPass, viewDefect, viewHandshake } from '../verify/schemas.ts';

/** The report of an agent on the gates, after the owner has authorized the deployment or the activation. */
const GateReport = z.strictObject({
  role: BuilderRole,
  reported: z.boolean().describe('Whether the agent has reported; you can take the step without the report.'),
  note: z.string().nullable().describe('What the agent saw, in its own words.'),
});
documented.add(GateReport, { id: 'GateReport' });

export const VERIFY_FIELDS = {
  handshakes: z
    .array(HandshakeView)
    .describe('What each side has declared about its running service, with its commit.'),
  deviations: z.array(Deviation),
  carried: z.array(CarriedPassView),
  defects: z.array(DefectView).describe('Defects of the present manifest, also closed ones.'),
  defects_reassigned: z.array(DefectId).describe('Defects assigned to another builder than the contract names.'),
  gate_reports: z.array(GateReport).describe('For activation: what each agent saw at the gates after the deployment.'),
};

/** The values of `VERIFY_FIELDS` for a step that comes before the verification. */
export const NO_VERIFY = {
  handshakes: [],
  deviations: [],
  carried: [],
  defects: [],
  defects_reassigned: [],
  gate_reports: [],
};

/** Numbers of the stored events that contain the agents' reports on the gates. */
export const reportSeqs = (state: SessionState): number[] =>
  BUILDERS.flatMap((builder) => reportAction(state, builder)?.completed_seq ?? []);

const gateReports = (state: SessionState, loaded: readonly LoggedEvent[]) =>
  BUILDERS.flatMap((role): z.output<typeof GateReport>[] => {
    const action = reportAction(state, role);
    if (!action) return [];
    const { completed_seq } = action;
    if (completed_seq === undefined) return [{ role, reported: false, note: null }];
    const { note = null } = storedData(loaded, completed_seq, actionEvents['action.completed']);
    return [{ role, reported: true, note }];
  });

export function listVerify(lists: BoundedLists, state: SessionState, loaded: readonly LoggedEvent[]) {
  const scenarios = scenariosOf(state);
  const responsibleFor = new Map(scenarios.map(({ test }) => [test.id, test.responsible]));
  const deviations = lists.list({
    records: deviatingPasses(state),
    view: (one) => one,
    how: () => 'Call board.',
  });
  const carried = lists.list({
    records: scenarios.flatMap(viewCarriedPass),
    view: (one) => one,
    how: () => 'Call board.',
  });
  const all = valuesOf(state.verify.defects);
  const defects = lists.list({ records: all, view: viewDefect, isCurrent: isStanding, how: () => 'Call board.' });
  const reassigned = all.filter(
    ({ scenario_id, assigned_to }) => assigned_to !== (responsibleFor.get(scenario_id) ?? assigned_to),
  );
  const declared = BUILDERS.flatMap((builder) => state.verify.handshakes[builder] ?? []);
  return () => ({
    handshakes: declared.map(viewHandshake),
    deviations: deviations(),
    carried: carried(),
    defects: defects(),
    defects_reassigned: reassigned.map(({ defect_id }) => defect_id),
    gate_reports: gateReports(state, loaded),
  });
}
