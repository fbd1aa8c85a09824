import { endsWait, type Waiting } from '../session/work.ts';
import type { SessionState } from '../state.ts';

/** Spec 4.3: only events and pending actions end a wait for the feed, because its answer has no instruction. */
export const endsFeedWait = (state: SessionState, waiting: Waiting): boolean =>
  endsWait(state, { ...waiting, shown: ['EVENTS', 'ACTION'] });
