import type { Builder } from '../../kernel/roles.ts';
import { isOptional, openActionsOf, pendingActionsOf, tickedOffActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/schemas.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import type { Intervention } from '../interventions/record.ts';
import { openInterventionsTo, unseenInterventionsTo } from '../interventions/rules.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import type { Question } from '../questions/schemas.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { NextItem } from './next-item.ts';

/**
 * The tasks that a builder can have in any phase: questions, directives, and pending actions except those of
 * `blockerItems` and `optionalItems`. These tasks come before the work of the phase.
 */
export function debtItems(state: SessionState, builder: Builder): NextItem[] {
  const { interventions, questions } = state;
  return [
    ...unseenInterventionsTo(interventions, builder).map(interventionItem),
    ...openQuestionsTo(questions, builder).map(questionItem),
    ...pendingItems(state, builder, ({ type }) => !REMOVES_BLOCKER.some((each) => each === type)),
  ];
}

/** Types of actions that remove a blocker of certification. RESPOND_FINDING removes one only if its finding blocks. */
const REMOVES_BLOCKER: readonly Action['type'][] = ['RESPOND_FINDING', 'REVIEW_REVISION'];

/** The pending reviews, and the pending answers to findings that block. */
export const blockerItems = (state: SessionState, builder: Builder): NextItem[] =>
  pendingItems(
    state,
    builder,
    (action) => REMOVES_BLOCKER.some((each) => each === action.type) && !isOptional(state, action),
  );

/** The pending answers to findings that do not block. They come after the work of the phase. */
export const optionalItems = (state: SessionState, builder: Builder): NextItem[] =>
  pendingItems(state, builder, (action) => isOptional(state, action));

const pendingItems = (state: SessionState, builder: Builder, isWanted: (action: Action) => boolean): NextItem[] =>
  pendingActionsOf(state.actions, builder)
    .filter((action) => isListedAsAction(state, action) && isWanted(action))
    .map((action) => pendingItem(state, action, builder));

/** The open blocking findings that this builder can close now, because their answers have arrived or are not needed. */
export const findingItems = (state: SessionState, builder: Builder): NextItem[] =>
  blockersOf(state)
    .filter(({ code, responsible }) => code === 'FINDING_UNRESOLVED' && responsible === builder)
    .map(({ record, resolution: { text, tool, payload } }) =>
      item(builder, tool, payload, `You raised finding ${record.id}, which is still open. ${text}`),
    );

/**
 * Questions, actions and directives that the builder has acknowledged but not finished, and actions that it has
 * completed although their tasks are still due. They come after the work of the phase, and the directives are last.
 */
export function unfinishedItems(state: SessionState, builder: Builder): NextItem[] {
  const { interventions, actions } = state;
  const acknowledged = openInterventionsTo(interventions, builder).filter(
    ({ responses }) => responses[builder]?.status === 'ACKNOWLEDGED',
  );
  const open = openActionsOf(actions, builder).filter(
    (action) => action.status !== 'PENDING' && isDoable(state, action) && isListedAsAction(state, action),
  );
  const owed = tickedOffActionsOf(actions, builder).filter((action) => isDoable(state, action));
  return [
    ...acknowledged.filter(({ type }) => type !== 'DIRECTIVE').map(interventionItem),
    ...open.map((action) => openItem(action, builder)),
    ...owed.map(({ tool, payload, text, action_id }) =>
      item(
        builder,
        tool,
        payload,
        `${text} You completed ${action_id} with complete_action, but this task is still due.`,
      ),
    ),
    ...acknowledged.filter(({ type }) => type === 'DIRECTIVE').map(directiveReportItem),
  ];
}

/**
 * Whether the action gets an item of its own. False if another item already names the same task, and for an action of
 * the type REPORT_GATES, because `verify_next` itself adds the item for this action.
 */
function isListedAsAction({ profile }: SessionState, { type }: Action): boolean {
  if (type === 'ACK_DIRECTIVE' || type === 'REPORT_GATES') return false;
  return profile.status !== 'ACTIVE' || !VERIFICATION.some((each) => each === type);
}

const VERIFICATION: readonly Action['type'][] = ['BEGIN_BUILD', 'DECLARE_HANDSHAKE', 'FIX_DEFECT'];

/** Unless the session is ACTIVE, a builder can do only actions that name no tool. */
const isDoable = ({ profile }: SessionState, { tool }: Action): boolean =>
  profile.status === 'ACTIVE' || tool === undefined;

function pendingItem(state: SessionState, action: Action, builder: Builder): NextItem {
  const { action_id, type, tool, payload, text } = action;
  if (tool !== undefined && isDoable(state, action))
    return item(builder, tool, payload, `Action ${action_id} (${type}): ${text}`);
  const reason = `Action ${action_id} (${type}) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.`;
  return item(builder, 'ack_action', { action_id }, reason);
}

function openItem({ action_id, type, tool, payload, text }: Action, builder: Builder): NextItem {
  if (tool !== undefined) return item(builder, tool, payload, `Action ${action_id} (${type}): ${text}`);
  const reason = `Action ${action_id} (${type}) is due from you. Do what its text in poll_actions says, then call complete_action.`;
  return item(builder, 'complete_action', { action_id }, reason);
}

const item = (builder: Builder, tool = '', payload: NextItem['payload'] = {}, reason: string): NextItem => ({
  tool,
  route: routeOf(tool, builder).route ?? '',
  payload,
  reason,
});

const ANSWER = '<your answer>';

function interventionItem({ intervention_id, type, from, text }: Intervention): NextItem {
  const said = { from, text: text ?? '' };
  if (type === 'DIRECTIVE')
    return {
      tool: 'ack_intervention',
      route: 'POST interventions/ack',
      payload: { intervention_id },
      reason: `Directive ${intervention_id} of the ${from} binds you. Acknowledge it with ack_intervention and follow it. Answer it with answer_intervention when you have done what it says, or to say that you will keep to it.`,
      said,
    };
  return {
    tool: 'answer_intervention',
    route: 'POST interventions/answer',
    payload: { intervention_id, text: ANSWER },
    reason: `Question ${intervention_id} of the ${from} waits for your answer: send it with answer_intervention.`,
    said,
  };
}

const directiveReportItem = ({ intervention_id, from, text }: Intervention): NextItem => ({
  tool: 'answer_intervention',
  route: 'POST interventions/answer',
  payload: { intervention_id, text: ANSWER },
  reason: `Answer directive ${intervention_id} with answer_intervention when you have done what it says.`,
  reports_on: intervention_id,
  said: { from, text: text ?? '' },
});

const questionItem = ({ question_id, from, text }: Question): NextItem => ({
  tool: 'answer_question',
  route: 'POST questions/answer',
  payload: { question_id, answer: ANSWER },
  reason: `Question ${question_id} of ${from} waits for your answer: send it with answer_question.`,
  said: { from, text },
});
