import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Presence } from '../../kernel/roles.ts';
import { absencesOf } from '../session/owner-waits/absence.ts';
import { ownerWaits } from '../session/owner-waits/owner-waits.ts';
import { WAIT_FACTS } from '../session/owner-waits/wait-kinds.ts';
import type { OwnerWait } from '../session/owner-waits/waits.ts';
import type { SessionState } from '../state.ts';

/** A message to the owner about a task that waits for the owner. */
export interface Notice {
  /**
   * Each attempt to deliver the notice sends the same id. If the task ends and later waits again, the next notice has
   * another id.
   */
  readonly notice_id: string;
  readonly session_id: string;
  readonly wait_id: string;
  readonly number: number;
  /** Time of the last event of the session when the notice was made. */
  readonly at: string;
  readonly title: string;
  readonly kind: OwnerWait['kind'];
  readonly record: OwnerWait['record'];
  /** Contains codes and ids, but no text of an agent. */
  readonly text: string;
  readonly blocking: boolean;
}

/** Whether a task of the owner causes a notice. `absencesWithNotice` decides about absent agents. */
const causesNotice = ({ kind, blocking }: OwnerWait): boolean => isAmong(WAIT_FACTS[kind].notice, blocking);

const canReturn = ({ kind, blocking }: OwnerWait): boolean => isAmong(WAIT_FACTS[kind].noticeAgain, blocking);

const isAmong = (which: 'blocking' | 'none' | undefined, blocking: boolean): boolean =>
  which === undefined || (which === 'blocking' && blocking);

/**
 * Absent agents that cause a notice. The owner expects the absence of an agent that has not joined or whose access the
 * owner revoked, so it causes a notice only after `silentAfterMs`.
 */
const absencesWithNotice = (state: SessionState, presence: Presence): OwnerWait[] =>
  absencesOf(state, presence).flatMap(({ cause, wait }) => {
    const isOwners = cause === 'NOT_JOINED' || cause === 'REVOKED';
    return isOwners && presence.nowMs - Date.parse(wait.since) < presence.silentAfterMs ? [] : [wait];
  });

/**
 * Whether a notice about the task must be delivered. For an absent agent: if the absence began after the last notice
 * about that agent. For any other task: if no notice was delivered since the task began to wait.
 */
function isDue({ notices }: SessionState, wait: OwnerWait): boolean {
  if (wait.kind === 'AGENT_ABSENT') return wait.since > (notices.absences[wait.record.id] ?? '');
  return canReturn(wait) ? !notices.standing.includes(wait.wait_id) : lookUp(notices.told, wait.wait_id) === undefined;
}

export const deliveriesOf = ({ notices }: SessionState, waitId: string): number => lookUp(notices.told, waitId) ?? 0;

/** The notices that must be delivered now. Notices about absent agents come first. */
export const dueNotices = (state: SessionState, presence: Presence): Notice[] =>
  [...absencesWithNotice(state, presence), ...ownerWaits(state).filter(causesNotice)]
    .filter((wait) => isDue(state, wait))
    .map(({ wait_id, kind, record, text, blocking }) => {
      const number = deliveriesOf(state, wait_id) + 1;
      return {
        notice_id: `${state.sessionId}:${wait_id}:${number}`,
        session_id: state.sessionId,
        wait_id,
        number,
        at: state.at,
        title: state.profile.title,
        kind,
        record,
        text,
        blocking,
      };
    });

/**
 * Removes from `standing` the tasks that no longer wait, so that a task causes a notice again when it waits again.
 * Returns the same state if there is nothing to remove.
 */
export function settleNotices(state: SessionState): SessionState {
  const { standing } = state.notices;
  if (standing.length === 0) return state;
  const waiting = new Set(
    ownerWaits(state)
      .filter(canReturn)
      .map(({ wait_id }) => wait_id),
  );
  const left = standing.filter((id) => waiting.has(id));
  if (left.length === standing.length) return state;
  return { ...state, notices: { ...state.notices, standing: left } };
}
