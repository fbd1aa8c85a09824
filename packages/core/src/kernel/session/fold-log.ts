/**
 * Folds stored events onto a state. Before an event is folded, its text is compared with its hash, and its number and previous hash
 * with the head of the state.
 */
import { ParleyError } from '../errors.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import { brokenLog, readIntactEvent } from '../log/event.ts';
import { heapBytes } from '../observe/observer.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { LogTail } from '../storage/storage.ts';
import type { SizedState } from './snapshots.ts';

/** Estimated bytes that an event adds to a state in addition to its text. Measured on the heap with thousands of sessions. */
const EVENT_BYTES = 300;

/** Estimated number of bytes that folded events add to a cached state. */
export const weightOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { body }) => sum + heapBytes(body) + EVENT_BYTES, 0);

/**
 * Whether the fetched events follow directly after a known head. False after a failover that removed the event of that head
 * from the log.
 */
export function continues(known: Head, { head, events }: LogTail): boolean {
  const first = events[0];
  if (first) return first.seq === known.seq + 1 && readIntactEvent(first).prevHash === known.hash;
  return head.seq === known.seq && head.hash === known.hash;
}

/**
 * Folds events onto a state. If there are no events, returns the given object itself.
 *
 * @throws ParleyError LOG_BROKEN at the first event that was edited or does not follow the event before it;
 * STORAGE_UNAVAILABLE if a newer release wrote an event
 */
export function foldOn<S extends SessionRoot, T extends SizedState<S>>(
  domain: LogDomain<S>,
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
 * Folds one event. If that fails although the hashes match, throws LOG_BROKEN: the event was changed and its hash computed again.
 */
function folded<S extends SessionRoot>(domain: LogDomain<S>, state: S, event: LoggedEvent): S {
  try {
    return domain.evolve(state, event);
  } catch (error) {
    throw brokenLog(event.seq, error);
  }
}

/**
 * Throws an error for an event of an unknown kind or version. A newer release has written it, and a state without it would be
 * wrong.
 */
function checkKnown<S extends SessionRoot>({ catalog }: LogDomain<S>, { kind, v }: LoggedEvent): void {
  const known = Object.hasOwn(catalog, kind) ? catalog[kind] : undefined;
  if (known && v <= known.v) return;
  throw new ParleyError(
    'STORAGE_UNAVAILABLE',
    'A newer release of Parley has written to this session. This release cannot read it.',
    {
      retry_after_seconds: 30,
      hint: 'Send the call again after retry_after_seconds. If the answer stays the same, tell the owner: the operator must update this server.',
    },
  );
}
