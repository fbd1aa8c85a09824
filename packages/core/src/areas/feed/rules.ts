import { endsWait, type Waiting } from '../session/work.ts';
import type { SessionState } from '../state.ts';

/**
 * Spec 4.3. Whether a wait for the feed ends. Only events and pending actions end it; a new instruction does not, because
 * the answer contains no instruction.
 */
export const endsFeedWait = (state: SessionState, waiting: Waiting): boolean =>
  endsWait(state, { ...waiting, shown: ['EVENTS', 'ACTION'] });
