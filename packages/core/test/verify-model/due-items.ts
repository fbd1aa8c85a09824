import { dueInterventionsIn } from '../model/seen.ts';
import { BUILDERS } from './build.ts';
import type { Facts } from './invariants.ts';
import type { Item } from './seen.ts';

/**
 * In `verify_next`, items about acknowledged work come after all other items. Items of actions that were completed
 * without fulfilling their obligation are not checked.
 */
export function* unfinishedComesLast({ now }: Facts): Generator<string> {
  for (const builder of BUILDERS) {
    const { pending_actions } = now.overview.state(builder);
    const interventions = dueInterventionsIn(now.overview.state(builder));
    const isAcknowledged = ({ payload: { action_id, intervention_id } }: Item): boolean =>
      pending_actions.some((action) => action.action_id === action_id && action.status === 'ACKNOWLEDGED') ||
      interventions.some((one) => one.intervention_id === intervention_id && one.status === 'ACKNOWLEDGED');
    const items = now.items(builder).filter(({ reason }) => !reason.endsWith('by hand is not enough.'));
    const from = items.findIndex(isAcknowledged);
    const late = from < 0 ? undefined : items.slice(from).find((item) => !isAcknowledged(item));
    if (late) yield `${builder} is told of acknowledged work before ${late.tool} ${JSON.stringify(late.payload)}`;
  }
}

/** Every question and every intervention in a builder's state view is also an item of `verify_next`. */
export function* debtsAreListed({ now }: Facts): Generator<string> {
  if (now.status === 'ENDED') return;
  for (const builder of BUILDERS) {
    const { open_questions } = now.overview.state(builder);
    const listed = new Set(now.items(builder).flatMap(({ payload }) => [payload.question_id, payload.intervention_id]));
    for (const { question_id } of open_questions)
      if (!listed.has(question_id)) yield `verify_next of ${builder} lacks ${question_id}`;
    for (const { intervention_id } of dueInterventionsIn(now.overview.state(builder)))
      if (!listed.has(intervention_id)) yield `verify_next of ${builder} lacks ${intervention_id}`;
  }
}
