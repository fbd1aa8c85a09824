import { lookUp, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { EventOf } from '../catalog.ts';
import type { Folds } from '../slice.ts';
import { builderOf } from './builder-of.ts';
import type { Defect, VerifyState } from './state.ts';

const openedDefect = ({ data, seq, at }: EventOf<'defect.opened'>): Defect => ({
  defectId: data.defect_id,
  scenarioId: data.scenario_id,
  attempt: data.attempt,
  assignedTo: data.assigned_to,
  status: 'OPEN',
  commits: data.commits,
  failedSeq: seq,
  fix: null,
  waiverReason: null,
  ...(data.refusal ? { refusal: data.refusal } : {}),
  at,
});

export const defectFolds: Folds<VerifyState> = {
  'defect.opened': (verify, event) => refusedScenario(withDefect(verify, openedDefect(event)), event),
  'defect.reopened': (verify, event) => {
    const { defect_id, attempt, commits } = event.data;
    return withDefect(verify, {
      ...known(verify, defect_id),
      status: 'OPEN',
      attempt,
      commits,
      failedSeq: event.seq,
    });
  },
  'defect.fixed': (verify, event) => {
    const { defect_id, note, commit } = event.data;
    const fix = { by: builderOf(event.actor), note, commit, at: event.at };
    return withDefect(verify, { ...known(verify, defect_id), status: 'FIXED', fix });
  },
  'defect.closed': (verify, event) => withDefect(verify, { ...known(verify, event.data.defect_id), status: 'CLOSED' }),
  'defect.waived': (verify, event) =>
    withDefect(verify, {
      ...known(verify, event.data.defect_id),
      status: 'WAIVED',
      waiverReason: event.data.reason,
    }),
  'defect.reassigned': (verify, event) => withDefect(verify, reassigned(known(verify, event.data.defect_id), event)),
};

/** After a refusal of the owner, the scenario counts as failed, so that it has to run again. */
function refusedScenario(verify: VerifyState, { data, at }: EventOf<'defect.opened'>): VerifyState {
  const refused = data.refusal && lookUp(verify.scenarios, data.scenario_id);
  if (!refused) return verify;
  const { carried: _, ...scenario } = refused;
  const failed = { ...scenario, outcome: 'FAILED' as const, outcomeAt: at, reason: null };
  return { ...verify, scenarios: withEntry(verify.scenarios, data.scenario_id, failed) };
}

function reassigned(defect: Defect, { seq, at, data }: EventOf<'defect.reassigned'>): Defect {
  const { assigned_to: to, reason } = data;
  const step = { seq, from: defect.assignedTo, to, at, ...(reason === undefined ? {} : { reason }) };
  return { ...defect, assignedTo: to, reassigned: [...(defect.reassigned ?? []), step] };
}

const withDefect = (verify: VerifyState, defect: Defect): VerifyState => ({
  ...verify,
  defects: withEntry(verify.defects, defect.defectId, defect),
});

function known({ defects }: VerifyState, id: string): Defect {
  const defect = lookUp(defects, id);
  if (!defect) throw new Error(`An event refers to defect ${id}, which was never opened.`);
  return defect;
}
