import { openActionsOf, pendingActionsOf, tickedOffActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { headOf } from '../feed/state.ts';
import type { SessionState } from '../state.ts';
import { type Step, say } from './step.ts';

/** What the moderator does next: what is due from it, then what it has not read. It never drives. */
export function moderatorStep(state: SessionState): Step {
  const pending = pendingActionsOf(state.actions, 'moderator').find((action) => isDoable(state, action));
  if (pending) return say(pending.tool ?? 'complete_action', dueText(pending));
  const { ackedCursor } = state.feed;
  const head = headOf(state.feed);
  if (head > ackedCursor)
    return say('get_session_events', `Read the events after ${ackedCursor}, then ack_events up to ${head}.`);
  const owed = tickedOffActionsOf(state.actions, 'moderator').find((action) => isDoable(state, action));
  if (owed) return say(owed.tool ?? null, `${owed.text} Completing ${owed.actionId} by hand does not meet it.`);
  const waiting =
    openActionsOf(state.actions, 'moderator').length > 0 ? ' What is due from you waits for the owner to resume.' : '';
  return say('wait_for_activity', `Wait for what happens next.${waiting}`);
}

/** The text of a task is the owner's; those of the others are built from ids. */
const dueText = ({ actionId, type, text }: Action): string =>
  type === 'OWNER_TASK' ? `Action ${actionId} (${type}) is due from you: do it, then complete it.` : text;

/** While the session is not active, actions can be completed and nothing else be written. */
const isDoable = ({ profile }: SessionState, { tool }: Action): boolean =>
  profile.status === 'ACTIVE' || tool === undefined;
