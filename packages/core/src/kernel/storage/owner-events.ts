import { BYTES_PER_READ } from '../limits.ts';
import type { StoredEvent } from '../log/event.ts';
import { isRecord, parseOrNull } from '../text/json-value.ts';

/** An event whose actor is the owner, and the session to which it belongs. */
export interface OwnerEvent extends StoredEvent {
  readonly sessionId: string;
  readonly title: string;
}

/** The position of an event in the order of the audit: by time, then by session id, then by number. */
export interface OwnerEventPosition {
  readonly at: string;
  readonly sessionId: string;
  readonly seq: number;
}

/** Selects events of the owner. A member that is left out does not filter. */
export interface OwnerEventFilter {
  readonly sessionId?: string | undefined;
  /** Id of the person in the event. */
  readonly personId?: string | undefined;
  readonly kind?: string | undefined;
  /** The earliest time, included. ISO 8601 UTC with milliseconds. */
  readonly from?: string | undefined;
  /** The latest time, not included. ISO 8601 UTC with milliseconds. */
  readonly to?: string | undefined;
}

export interface OwnerEventsPage extends OwnerEventFilter {
  readonly order: 'newest' | 'oldest';
  /** Maximum number of events in the page, 1 to 500. */
  readonly limit: number;
  /** The position of the last event of the previous page; left out for the first page. */
  readonly after?: OwnerEventPosition | undefined;
}

interface KeptLog {
  readonly ownerId: string;
  readonly listing: { readonly title: string };
  readonly events: readonly StoredEvent[];
}

interface Positioned {
  readonly position: OwnerEventPosition;
  readonly event: OwnerEvent;
}

/**
 * Reads a page of the events of the owners in `ownerIds` from the sessions of `MemoryStorage`. Each call reads every
 * event in the sessions of these owners.
 */
export function ownerEventsIn(
  sessions: ReadonlyMap<string, KeptLog>,
  ownerIds: readonly string[],
  { order, limit, after, ...filter }: OwnerEventsPage,
): readonly OwnerEvent[] {
  const sign = order === 'newest' ? -1 : 1;
  const found = [...sessions]
    .filter(([sessionId, { ownerId }]) => ownerIds.includes(ownerId) && (filter.sessionId ?? sessionId) === sessionId)
    .flatMap(([sessionId, { listing, events }]) =>
      events.flatMap((stored) => positioned({ ...stored, sessionId, title: listing.title }, filter) ?? []),
    )
    .filter(({ position }) => !after || sign * compare(position, after) > 0)
    .sort((one, other) => sign * compare(one.position, other.position))
    .slice(0, limit)
    .map(({ event }) => event);
  let bytes = 0;
  return found.filter(({ body }) => {
    const isFirstOrFits = bytes < BYTES_PER_READ;
    bytes += Buffer.byteLength(body);
    return isFirstOrFits;
  });
}

/** The event with its position, if the owner is its actor and the filter selects it. */
function positioned(event: OwnerEvent, { personId, kind, from, to }: OwnerEventFilter): Positioned | undefined {
  const text = parseOrNull(event.body);
  if (!isRecord(text) || text.actor !== 'owner' || typeof text.at !== 'string') return undefined;
  const { at } = text;
  const person = isRecord(text.person) ? text.person.id : undefined;
  const isWanted =
    (personId === undefined || person === personId) &&
    (kind === undefined || text.kind === kind) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to);
  return isWanted ? { position: { at, sessionId: event.sessionId, seq: event.seq }, event } : undefined;
}

function compare(one: OwnerEventPosition, other: OwnerEventPosition): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.sessionId !== other.sessionId) return one.sessionId < other.sessionId ? -1 : 1;
  return one.seq - other.seq;
}
