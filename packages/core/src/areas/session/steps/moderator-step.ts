import { doableActionsOf, isModeratorsToDo, openActionsOf, tickedOffActionsOf } from '../../actions/rules.ts';
import type { Action } from '../../actions/schemas.ts';
import { blockersOf } from '../../blockers/blockers-of.ts';
import { type Step, say } from '../../due/step.ts';
import { exhaustedText, stoppingQuota } from '../../quotas/rules.ts';
import type { SessionState } from '../../state.ts';

/**
 * The moderator's next step. Pending actions come first, then unread events, then completed actions whose tasks are
 * still due, then blockers that only the moderator can remove. If a used-up quota stops the moderator's writes, the
 * moderator waits after the unread events.
 */
export function moderatorStep(state: SessionState): Step {
  const [pending] = doableActionsOf(state, 'moderator');
  if (pending) return say(pending.tool ?? 'complete_action', dueText(pending));
  const { ackedCursor, fromOthers } = state.feed;
  if (fromOthers > ackedCursor)
    return say(
      'ack_events',
      `Read the events after ${ackedCursor} with wait_for_activity (GET events), then acknowledge them with ack_events up to ${fromOthers}.`,
    );
  const exhausted = stoppingQuota(state, 'moderator');
  if (exhausted) return say('wait_for_activity', exhaustedText(exhausted));
  const owed = tickedOffActionsOf(state.actions, 'moderator').find((action) => isModeratorsToDo(state, action));
  if (owed)
    return say(
      owed.tool ?? null,
      `${owed.text} You completed ${owed.action_id} with complete_action, but this task is still due.`,
    );
  const held = heldUpStep(state);
  if (held) return held;
  const waiting =
    openActionsOf(state.actions, 'moderator').length > 0
      ? ' Your pending actions must wait until the owner resumes the session.'
      : '';
  return say('wait_for_activity', `Nothing is due from you. Wait for the next event.${waiting}`);
}

/**
 * The moderator's step in CONTRACT if it alone can remove the remaining blockers. Without this step, all roles would
 * wait for each other.
 */
function heldUpStep(state: SessionState): Step | undefined {
  const { status, phase } = state.profile;
  if (status !== 'ACTIVE' || phase !== 'CONTRACT') return undefined;
  const blockers = blockersOf(state);
  const [first] = blockers;
  if (!first || blockers.some(({ responsible }) => responsible !== 'moderator')) return undefined;
  return say(first.resolution.tool ?? null, `${first.code} on ${first.record.id}: ${first.resolution.text}`);
}

/**
 * The text of an action in an instruction. The text of an OWNER_TASK is left out, because an instruction contains only
 * codes and ids.
 */
const dueText = ({ action_id, type, text }: Action): string =>
  type === 'OWNER_TASK'
    ? `Action ${action_id} (${type}) is due from you. Do what its text in pending_actions says, then call complete_action.`
    : text;
