import type { Builder } from '../../kernel/roles.ts';
import { openInterventionsTo, unseenInterventionsTo } from '../interventions/rules.ts';
import type { Intervention } from '../interventions/state.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import type { Question } from '../questions/state.ts';
import type { SessionState } from '../state.ts';
import type { NextItem } from './next-item.ts';

const ANSWER = '<your answer>';

/**
 * Questions and directives to a builder that it has neither answered nor acknowledged, in the order of its instruction:
 * those of the owner and the moderator, then those of the other agent.
 */
export function owedItems({ interventions, questions }: SessionState, builder: Builder): NextItem[] {
  const unseen = unseenInterventionsTo(interventions, builder);
  return [...unseen.map(interventionItem), ...openQuestionsTo(questions, builder).map(questionItem)];
}

/** Questions of the owner and the moderator that the builder has acknowledged and not answered. */
export const acknowledgedItems = ({ interventions }: SessionState, builder: Builder): NextItem[] =>
  openInterventionsTo(interventions, builder)
    .filter(({ type, responses }) => type === 'QUESTION' && responses[builder]?.status === 'ACKNOWLEDGED')
    .map(interventionItem);

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
