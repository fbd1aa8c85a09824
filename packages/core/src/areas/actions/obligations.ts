import { lookUp } from '../../kernel/history.ts';
import type { Agent } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { debtsOf } from '../interventions/rules.ts';
import type { SessionState } from '../state.ts';
import type { ACTION_TYPES, Action } from './state.ts';

/** Something an agent owes at present; `key` names type, subject and cause, so that the same debt opens one action. */
interface Obligation {
  readonly key: string;
  readonly type: (typeof ACTION_TYPES)[number];
  readonly dueTo: Agent;
  readonly text: string;
  readonly tool: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Everything the agents owe in this state. Texts are built from ids alone. */
function obligationsOf(state: SessionState): Obligation[] {
  return state.profile.status === 'ENDED' ? [] : [...directiveObligations(state)];
}

function* directiveObligations({ interventions }: SessionState): Generator<Obligation> {
  for (const { intervention, target } of debtsOf(interventions)) {
    if (intervention.type !== 'DIRECTIVE') continue;
    const { interventionId: id } = intervention;
    const text = `Acknowledge directive ${id} of the ${intervention.from}.`;
    yield {
      key: `ACK_DIRECTIVE ${target} ${id}`,
      type: 'ACK_DIRECTIVE',
      dueTo: target,
      text,
      tool: 'ack_intervention',
      payload: { intervention_id: id },
    };
  }
}

/** The events that bring the open actions in step with the obligations: opened for new debts, fulfilled for met ones. */
export function settleObligations(state: SessionState): SessionDraft[] {
  const owed = obligationsOf(state);
  const { inForce, all } = state.actions;
  const fresh = owed.filter(({ key }) => !Object.hasOwn(inForce, key));
  const opened = fresh.map((obligation, index) => openedDraft(obligation, all.size + index + 1));
  const keys = new Set(owed.map(({ key }) => key));
  const met = Object.entries(inForce).flatMap(([key, id]) => (keys.has(key) ? [] : (lookUp(all, id) ?? [])));
  return [...opened, ...met.map(fulfilledDraft)];
}

function openedDraft({ key, type, dueTo, text, tool, payload }: Obligation, number: number): SessionDraft {
  const data = {
    action_id: `act_${number}`,
    due_to: dueTo,
    type,
    text,
    tool,
    payload: { ...payload },
    obligation: key,
  };
  return { kind: 'action.opened', data, actor: 'system' };
}

const fulfilledDraft = ({ actionId, dueTo }: Action): SessionDraft => ({
  kind: 'action.fulfilled',
  data: { action_id: actionId, due_to: dueTo },
  actor: 'system',
});
