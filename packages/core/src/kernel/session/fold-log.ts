/**
 * Folds stored events onto a state. Checks each event: its text against its hash, and its number and previous hash against the
 * state. Therefore a state that was folded here matches the stored log up to its head.
 */
import { ParleyError } from '../errors.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import { brokenLog, readIntactEvent } from '../log/stored-event.ts';
import { heapBytes } from '../observe/cache-use.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { LogTail } from '../storage/storage.ts';
import type { SizedState } from './snapshots.ts';

/** Bytes that an event adds to a state in addition to its text, measured on the heap with thousands of sessions. */
const EVENT_BYTES = 300;

/** Bytes that the cache counts for the events that were folded into a state. */
export const weightOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { body }) => sum + heapBytes(body) + EVENT_BYTES, 0);

/**
 * Whether the events of a fetched tail follow a head. They do not if a failover removed the event of that head from the log.
 */
export function continues(known: Head, { head, events }: LogTail): boolean {
  const first = events[0];
  if (first) return first.seq === known.seq + 1 && readIntactEvent(first).prevHash === known.hash;
  return head.seq === known.seq && head.hash === known.hash;
}

/**
 * Folds events onto a state. Without events it returns the given object itself.
 *
 * @throws ParleyError LOG_BROKEN at the first event that was edited or does not follow the event before it; STORAGE_UNAVAILABLE
 * if a newer release wrote an event
 */
export function foldOn<S extends SessionRoot, T extends SizedState<S>>(
  domain: Domain<S>,
  from: T,
  events: readonly StoredEvent[],
): T {
  if (events.length === 0) return from;
  let { state } = from;
  for (const stored of events) {
    const event = readIntactEvent(stored);
    if (event.seq !== state.head.seq + 1 || event.prevHash !== state.head.hash) throw brokenLog(state.head.seq + 1);
    checkKnown(domain, event);
    state = folded(domain, state, event);
  }
  return { ...from, state, bytes: from.bytes + weightOf(events) };
}

/**
 * Folds one event. If that fails although the hashes match, reports a broken log: somebody edited the event and computed its
 * hashes anew.
 */
function folded<S extends SessionRoot>(domain: Domain<S>, state: S, event: LoggedEvent): S {
  try {
    return domain.evolve(state, event);
  } catch (error) {
    throw brokenLog(event.seq, error);
  }
}

/** Refuses an event of an unknown kind or version: a newer release wrote it, and skipping it would give a wrong state. */
function checkKnown<S extends SessionRoot>({ catalog }: Domain<S>, { kind, v }: LoggedEvent): void {
  const known = Object.hasOwn(catalog, kind) ? catalog[kind] : undefined;
  if (known && v <= known.v) return;
  throw new ParleyError('STORAGE_UNAVAILABLE', 'This session was written by a newer release.', {
    retry_after_seconds: 30,
  });
}
