import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import { reportedStage } from '../../actions/gate-reports.ts';
import type { NextItem } from '../../due/next-item.ts';
import type { SessionState } from '../../state.ts';
import { certificationOf } from '../../verify/certification.ts';
import { nextFor } from '../../verify/next/next.ts';

export function waitInVerify(state: SessionState, role: Builder): string {
  const open = certificationOf(state).find(({ ok }) => !ok);
  if (!open) return waitForOwner(state);
  const [other] = nextFor(state, otherBuilder(role));
  const why = other
    ? `The next call is that of ${otherBuilder(role)}: ${callOf(other)}${subjectOf(state, other, role)}`
    : `The certification check ${open.check} does not hold yet, and no call of yours can change that`;
  return `Wait. ${why}.`;
}

const callOf = ({ tool, payload }: NextItem): string =>
  payload.verdict === 'CARRY' ? `${tool} with the verdict CARRY, or a rerun` : tool;

/** What a call of the other builder is about, in ids, such as ", for the owner's task act_9". Empty if no record is named. */
function subjectOf({ actions, interventions, questions }: SessionState, item: NextItem, reader: Builder): string {
  const { fixes, scenario_id, payload } = item;
  const id = (name: string): string => String(payload[name] ?? '');
  const action = lookUp(actions.all, id('action_id'));
  if (action) return `, for ${action.type === 'OWNER_TASK' ? "the owner's task" : 'action'} ${action.action_id}`;
  const intervention = lookUp(interventions.all, id('intervention_id'));
  if (intervention)
    return `, for ${intervention.type.toLowerCase()} ${intervention.intervention_id} of the ${intervention.from}`;
  const question = lookUp(questions.all, id('question_id'));
  if (question?.from === reader) return `, for your question ${question.question_id}`;
  if (question) return `, for question ${question.question_id} of ${question.from}`;
  if ((fixes ?? payload.defect_id) !== undefined) return `, for defect ${fixes ?? id('defect_id')}`;
  if (payload.finding_id !== undefined) return `, for finding ${id('finding_id')}`;
  return scenario_id === undefined ? '' : `, for scenario ${scenario_id}`;
}

function waitForOwner(state: SessionState): string {
  switch (reportedStage(state)) {
    case 'activation':
      return 'The activation is authorized. Wait for the owner to end the session.';
    case 'deployment':
      return 'The deployment is authorized. Wait for the owner to authorize the activation.';
    default:
      return 'Every certification check holds. Wait for the owner to authorize the deployment.';
  }
}
