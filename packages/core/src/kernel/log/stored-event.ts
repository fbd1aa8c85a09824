import { ParleyError } from '../errors.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { StoredEvent } from './event.ts';
import { type LoggedEvent, readEvent } from './event.ts';

/**
 * Makes the error of a log that cannot be folded.
 *
 * @param seq number of the first event that is missing, edited or out of place
 */
export const brokenLog = (seq: number, cause?: unknown): ParleyError =>
  new ParleyError('LOG_BROKEN', `The stored log of this session is broken at event ${seq}.`, { event: seq }, { cause });

/**
 * Compares the text of a stored event with its hash, and parses the event.
 *
 * @throws ParleyError LOG_BROKEN if the text does not match the hash or is not JSON
 */
export function readIntactEvent(stored: StoredEvent): LoggedEvent {
  if (sha256Hex(stored.body) !== stored.hash) throw brokenLog(stored.seq);
  try {
    return readEvent(stored);
  } catch (error) {
    throw brokenLog(stored.seq, error);
  }
}
