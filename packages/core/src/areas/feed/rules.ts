import type { SessionState } from '../state.ts';
import { headOf } from './state.ts';

/**
 * Whether events wait to be acknowledged. In a session that had ended when the call came nothing can be acknowledged any
 * more: what is left would end every wait at once, however often it is asked.
 */
export const hasUnacked = ({ feed }: SessionState, opened: SessionState): boolean =>
  opened.profile.status !== 'ENDED' && headOf(feed) > feed.ackedCursor;
