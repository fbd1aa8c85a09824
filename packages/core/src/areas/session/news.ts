import { isBuilder, type Role } from '../../kernel/roles.ts';
import { doableActionsOf } from '../actions/rules.ts';
import { unseenInterventionsTo } from '../interventions/rules.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import type { SessionState } from '../state.ts';
import { isAwaitedTurn } from '../turns/rules.ts';
import { nextFor } from '../verify/next.ts';

/**
 * Whether the role has something to do, so that a long-poll answers at once, however often it is asked. What is still
 * open when the session ends is no work any more: every write is refused.
 */
export const hasWork = (state: SessionState, role: Role): boolean =>
  state.profile.status !== 'ENDED' &&
  (isAwaitedTurn(state, role) ||
    openQuestionsTo(state.questions, role).length > 0 ||
    unseenInterventionsTo(state.interventions, role).length > 0 ||
    doableActionsOf(state, role).length > 0 ||
    (isBuilder(role) && nextFor(state, role).length > 0));

/** Whether somebody else said something after a message id. */
export const hasNews = ({ transcript }: SessionState, role: Role, after: number): boolean =>
  transcript.latest[role].fromOthers > after;
