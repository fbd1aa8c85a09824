import type { LoggedEvent } from '../../kernel/log/event.ts';
import { type EventCatalog, isSeenBy } from '../../kernel/log/event-catalog.ts';
import {
  appended,
  emptyList,
  itemAt,
  lowerBound,
  type PersistentList,
} from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';

export const MAX_EVENTS = 100;
export const DEFAULT_EVENTS = 50;

/**
 * The moderator's feed: the numbers of the events that the moderator sees, and its acknowledged cursor. The events
 * themselves are in the log alone.
 */
export interface Feed {
  readonly seqs: PersistentList<number>;
  readonly ackedCursor: number;
  /** Number of the latest event that the moderator sees and has not caused. 0 if there is none. */
  readonly fromOthers: number;
  /** Number and time of the last event of the log if a call of the moderator caused that event, otherwise null. */
  readonly own: { readonly seq: number; readonly at: string } | null;
}

/** Takes the catalog, because the catalog contains the events of this area. */
export const feedSlice = (catalog: EventCatalog): Slice<Feed> => ({
  empty: { seqs: emptyList(), ackedCursor: 0, fromOthers: 0, own: null },
  folds: {},
  each(feed, event) {
    const { seq, at } = event;
    const own = isOwn(feed, event) ? { seq, at } : null;
    if (event.kind === 'events.acknowledged') return { ...feed, ackedCursor: event.data.cursor, own };
    if (!isInFeed(event, catalog)) return own === feed.own ? feed : { ...feed, own };
    return { ...feed, seqs: appended(feed.seqs, seq), fromOthers: own ? feed.fromOthers : seq, own };
  },
});

/**
 * Whether the moderator caused the event. An event that the service added to an append of the moderator counts too: it
 * has the next number and the same time.
 */
const isOwn = ({ own }: Feed, { actor, seq, at }: SessionEvent): boolean =>
  actor === 'moderator' || (actor === 'system' && own?.seq === seq - 1 && own.at === at);

export function isInFeed({ kind, data }: LoggedEvent, catalog: EventCatalog): boolean {
  const known = catalog[kind];
  return known !== undefined && isSeenBy(known, data, 'moderator');
}

/** Number of the latest event that the moderator sees and that is wanted. 0 if there is none. */
export function latestInFeed({ seqs }: Feed, isWanted: (seq: number) => boolean): number {
  let index = seqs.length - 1;
  while (index >= 0 && !isWanted(itemAt(seqs, index) ?? 0)) index -= 1;
  return itemAt(seqs, index) ?? 0;
}

export const headOf = (feed: Feed): number => latestInFeed(feed, () => true);

export const unreadIn = ({ seqs, ackedCursor }: Feed): number =>
  seqs.length - lowerBound(seqs, (seq) => seq > ackedCursor);

/** Numbers of the first `limit` events after a cursor. */
export function eventsAfter({ seqs }: Feed, after: number, limit: number): number[] {
  const from = lowerBound(seqs, (seq) => seq > after);
  return seqs.items.slice(from, Math.min(from + limit, seqs.length));
}
