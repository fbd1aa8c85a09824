import type { Builder } from '../../kernel/roles.ts';
import { openActionsOf, pendingActionsOf, tickedOffActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { openInterventionsTo, unseenInterventionsTo } from '../interventions/rules.ts';
import type { Intervention } from '../interventions/state.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import type { Question } from '../questions/state.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { NextItem } from './next-item.ts';

/**
 * What is due from a builder in every phase. The instruction names the first item; verify_next lists them all. First
 * come questions, directives and pending actions, before the work of the phase.
 */
export function debtItems(state: SessionState, builder: Builder): NextItem[] {
  const { interventions, questions, actions } = state;
  return [
    ...unseenInterventionsTo(interventions, builder).map(interventionItem),
    ...openQuestionsTo(questions, builder).map(questionItem),
    ...pendingActionsOf(actions, builder)
      .filter((action) => isListedAsAction(state, action))
      .map((action) => pendingItem(state, action, builder)),
  ];
}

/** Blocking findings of the builder that others have answered, or that nobody has to answer, after CONTRACT. */
export const findingItems = (state: SessionState, builder: Builder): NextItem[] =>
  blockersOf(state)
    .filter(({ code, responsible }) => code === 'FINDING_UNRESOLVED' && responsible === builder)
    .map(({ record, resolution: { text, tool, payload } }) =>
      item(builder, tool, payload, `Finding ${record.id}: ${text}`),
    );

/** Work that the builder acknowledged and did not finish. It comes after the work of the phase. */
export function unfinishedItems(state: SessionState, builder: Builder): NextItem[] {
  const { interventions, actions } = state;
  const questions = openInterventionsTo(interventions, builder).filter(
    ({ type, responses }) => type === 'QUESTION' && responses[builder]?.status === 'ACKNOWLEDGED',
  );
  const open = openActionsOf(actions, builder).filter(
    (action) => action.status !== 'PENDING' && isDoable(state, action) && isListedAsAction(state, action),
  );
  const owed = tickedOffActionsOf(actions, builder).filter((action) => isDoable(state, action));
  return [
    ...questions.map(interventionItem),
    ...open.map((action) => openItem(action, builder)),
    ...owed.map(({ tool, payload, text, actionId }) =>
      item(builder, tool, payload, `${text} Completing ${actionId} by hand is not enough.`),
    ),
  ];
}

/** An action is left out where the item that it is about is listed: a directive, or a call of the verification. */
function isListedAsAction({ profile }: SessionState, { type }: Action): boolean {
  if (type === 'ACK_DIRECTIVE') return false;
  return profile.status !== 'ACTIVE' || !VERIFICATION.some((each) => each === type);
}

const VERIFICATION: readonly Action['type'][] = ['BEGIN_BUILD', 'DECLARE_HANDSHAKE', 'FIX_DEFECT'];

/** While the session is paused, an action can be acknowledged or completed by hand; its tool is refused. */
const isDoable = ({ profile }: SessionState, { tool }: Action): boolean =>
  profile.status === 'ACTIVE' || tool === undefined;

function pendingItem(state: SessionState, action: Action, builder: Builder): NextItem {
  const { actionId: action_id, type, tool, payload, text } = action;
  const reason =
    tool === 'complete_action'
      ? `Action ${action_id} (${type}): ${text}`
      : `Action ${action_id} (${type}) is due from you: acknowledge it and do it.`;
  return tool !== undefined && isDoable(state, action)
    ? item(builder, tool, payload, reason)
    : item(builder, 'ack_action', { action_id }, reason);
}

function openItem({ actionId: action_id, type, tool, payload }: Action, builder: Builder): NextItem {
  const reason = `Action ${action_id} (${type}) is due from you: complete it once it is done.`;
  return tool === undefined
    ? item(builder, 'complete_action', { action_id }, reason)
    : item(builder, tool, payload, reason);
}

const item = (builder: Builder, tool = '', payload: NextItem['payload'] = {}, reason: string): NextItem => ({
  tool,
  route: routeOf(tool, builder).route ?? '',
  payload,
  reason,
});

const ANSWER = '<your answer>';

function interventionItem({ interventionId: intervention_id, type, from, text }: Intervention): NextItem {
  const said = { from, text: text ?? '' };
  if (type === 'DIRECTIVE')
    return {
      tool: 'ack_intervention',
      route: 'POST interventions/ack',
      payload: { intervention_id },
      reason: `Directive ${intervention_id} of the ${from} binds you: acknowledge it, then follow it.`,
      said,
    };
  return {
    tool: 'answer_intervention',
    route: 'POST interventions/answer',
    payload: { intervention_id, text: ANSWER },
    reason: `Question ${intervention_id} of the ${from} waits for your answer.`,
    said,
  };
}

const questionItem = ({ questionId: question_id, from, text }: Question): NextItem => ({
  tool: 'answer_question',
  route: 'POST questions/answer',
  payload: { question_id, answer: ANSWER },
  reason: `Question ${question_id} of ${from} waits for your answer.`,
  said: { from, text },
});
