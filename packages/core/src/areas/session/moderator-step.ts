import { doableActionsOf, isModeratorsToDo, openActionsOf, tickedOffActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { headOf } from '../feed/state.ts';
import { exhaustedText, stoppingQuota } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { type Step, say } from './step.ts';

/** What the moderator does next: what is due from it, what it has not read, what waits for it alone. It never drives. */
export function moderatorStep(state: SessionState): Step {
  const [pending] = doableActionsOf(state, 'moderator');
  if (pending) return say(pending.tool ?? 'complete_action', dueText(pending));
  const { ackedCursor } = state.feed;
  const head = headOf(state.feed);
  if (head > ackedCursor)
    return say('get_session_events', `Read the events after ${ackedCursor}, then ack_events up to ${head}.`);
  const exhausted = stoppingQuota(state, 'moderator');
  if (exhausted) return say('wait_for_activity', exhaustedText(exhausted));
  const owed = tickedOffActionsOf(state.actions, 'moderator').find((action) => isModeratorsToDo(state, action));
  if (owed) return say(owed.tool ?? null, `${owed.text} Completing ${owed.actionId} by hand does not meet it.`);
  const held = heldUpStep(state);
  if (held) return held;
  const waiting =
    openActionsOf(state.actions, 'moderator').length > 0 ? ' What is due from you waits for the owner to resume.' : '';
  return say('wait_for_activity', `Wait for what happens next.${waiting}`);
}

/** Nobody else has a step left in CONTRACT: without this everybody would wait. After it, the owner releases holds too. */
function heldUpStep(state: SessionState): Step | undefined {
  const { status, phase } = state.profile;
  if (status !== 'ACTIVE' || phase !== 'CONTRACT') return undefined;
  const blockers = blockersOf(state);
  const [first] = blockers;
  if (!first || blockers.some(({ responsible }) => responsible !== 'moderator')) return undefined;
  return say(first.resolution.tool ?? null, `${first.code} on ${first.record.id}: ${first.resolution.text}`);
}

/** The text of a task is the owner's; those of the others are built from ids. */
const dueText = ({ actionId, type, text }: Action): string =>
  type === 'OWNER_TASK' ? `Action ${actionId} (${type}) is due from you: do it, then complete it.` : text;
