import { endsWait, type Waiting } from '../session/work.ts';
import type { SessionState } from '../state.ts';

/**
 * Spec 4.3. Only events and pending actions end a wait for the feed. A new instruction does not, because the answer
 * contains no instruction.
 */
export const endsFeedWait = (state: SessionState, waiting: Waiting): boolean =>
  endsWait(state, { ...waiting, shown: ['EVENTS', 'ACTION'] });
