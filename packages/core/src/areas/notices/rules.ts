import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { OwnerWait } from '../session/owner-wait.ts';
import { ownerWaits } from '../session/owner-waits.ts';
import type { SessionState } from '../state.ts';

/** A notice to deliver: something waits for the owner. */
export interface Notice {
  /** Stays the same on each attempt to deliver. If the same record waits again later, its notice has another id. */
  readonly notice_id: string;
  readonly session_id: string;
  readonly wait_id: string;
  readonly number: number;
  /** Time of the session's last event when the notice was made. */
  readonly at: string;
  readonly title: string;
  readonly kind: OwnerWait['kind'];
  readonly record: OwnerWait['record'];
  /** Built from codes and ids only. */
  readonly text: string;
  readonly blocking: boolean;
}

/**
 * Whether a wait causes a notice. Steps that the owner took or expects cause none, nor do questions that do not block.
 */
const isTold = ({ kind, blocking }: OwnerWait): boolean =>
  kind === 'QUESTION' ? blocking : kind !== 'START' && kind !== 'RESUME' && kind !== 'END';

/** Whether a wait can end and begin again. Questions, recommendations and holds that block nothing yet cannot. */
const canReturn = ({ kind, blocking }: OwnerWait): boolean =>
  kind === 'HOLD' ? blocking : kind !== 'QUESTION' && kind !== 'RECOMMENDATION';

const isDue = ({ notices }: SessionState, wait: OwnerWait): boolean =>
  canReturn(wait) ? !notices.standing.includes(wait.wait_id) : lookUp(notices.told, wait.wait_id) === undefined;

export const timesTold = ({ notices }: SessionState, waitId: string): number => lookUp(notices.told, waitId) ?? 0;

/** Notices to deliver, in the order in which the owner should act. */
export const dueNotices = (state: SessionState): Notice[] =>
  ownerWaits(state)
    .filter((wait) => isTold(wait) && isDue(state, wait))
    .map(({ wait_id, kind, record, text, blocking }) => {
      const number = timesTold(state, wait_id) + 1;
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
 * Removes waits that have ended from `standing`, so that they cause a notice when they begin again. Returns at once if
 * no notice was delivered.
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
