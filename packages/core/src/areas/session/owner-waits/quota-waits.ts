import { AGENTS, isBuilder, otherBuilder } from '../../../kernel/roles.ts';
import type { QuotaUse } from '../../quotas/record.ts';
import { isStopped, isUsedUp, quotaUseOf, scarceQuotas, shareOf, stopsWrites } from '../../quotas/rules.ts';
import type { SessionState } from '../../state.ts';
import { stoppingTasks } from '../../tasks/agent-tasks.ts';
import { owesRevision } from '../../tasks/due.ts';
import { type OwnerWait, waitOf } from './owner-wait.ts';

/**
 * The owner's tasks about quotas of which at least four fifths are used. The owner is informed while the agent can
 * still write.
 */
export const quotaWaits = (state: SessionState): OwnerWait[] =>
  AGENTS.flatMap((role) => scarceQuotas(state, role)).map((use) => waitFor(state, use));

function waitFor(state: SessionState, use: QuotaUse): OwnerWait {
  const { role, quota } = use;
  const kind = isUsedUp(use) ? 'QUOTA_EXHAUSTED' : 'QUOTA_LOW';
  const blocking = isUsedUp(use) && isNeeded(state, use);
  const id = `${role}/${quota}`;
  const { operation, payload, advice } = settlementOf(state, use, blocking);
  const record = { type: 'quota', id };
  const text = `${role} has used ${shareOf(use)}${isUsedUp(use) ? consequenceOf(use) : ''}: ${advice}`;
  return waitOf(
    { kind, record, operation, text, since: state.quotas.scarceSince[role][quota] ?? state.at },
    { payload, blocking },
  );
}

/** Whether the session cannot continue without the writes that the used-up quota refuses. */
function isNeeded(state: SessionState, { role, quota }: QuotaUse): boolean {
  if (!isBuilder(role)) return stopsWrites(quota) && stoppingTasks(state).some(({ due_to }) => due_to === role);
  return stopsWrites(quota) || (quota === 'revisions' && owesRevision(state, role));
}

const consequenceOf = ({ quota }: QuotaUse): string => (stopsWrites(quota) ? ', and all its writes are refused' : '');

type Settlement = Pick<OwnerWait, 'operation' | 'payload'> & { readonly advice: string };

function settlementOf(state: SessionState, use: QuotaUse, isBlocking: boolean): Settlement {
  const { role, quota, limit, most } = use;
  if (limit < most) {
    return { operation: 'raiseQuota', payload: { role, quota }, advice: 'raise the quota if the work needs more.' };
  }
  if (!isBlocking) return { operation: 'view', payload: {}, advice: 'the quota cannot be raised further.' };
  if (!isBuilder(role)) {
    const advice = 'the quota cannot be raised further; stop the moderator and settle its open records yourself.';
    return { operation: 'stopModerator', payload: {}, advice };
  }
  const candidate = otherBuilder(role);
  if (quota === 'revisions' && canRevise(state, candidate)) {
    const advice = `the quota cannot be raised further; appoint ${candidate} as Contract Author, or end the session.`;
    return { operation: 'appointAuthor', payload: { candidate }, advice };
  }
  const advice = 'the quota cannot be raised further; end the session.';
  return { operation: 'end', payload: { end_reason: 'CANCELLED' }, advice };
}

const canRevise = (state: SessionState, role: QuotaUse['role']): boolean =>
  !isStopped(state, role) && !isUsedUp(quotaUseOf(state, role, 'revisions'));
