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

export const MAX_EVENTS = 100;
export const DEFAULT_EVENTS = 50;

/** The numbers of the events that the moderator sees, and its acknowledged cursor. The log keeps the event bodies. */
export interface Feed {
  /** Numbers of the events that the moderator sees. */
  readonly seqs: PersistentList<number>;
  readonly ackedCursor: number;
}

export const emptyFeed: Feed = { seqs: emptyList(), ackedCursor: 0 };

export function evolveFeed(feed: Feed, event: SessionEvent, catalog: EventCatalog): Feed {
  if (event.kind === 'events.acknowledged') return { ...feed, ackedCursor: event.data.cursor };
  return isInFeed(event, catalog) ? { ...feed, seqs: appended(feed.seqs, event.seq) } : feed;
}

export function isInFeed({ kind, data }: LoggedEvent, catalog: EventCatalog): boolean {
  const known = catalog[kind];
  return known !== undefined && isSeenBy(known, data, 'moderator');
}

/** The latest event that the moderator may see; 0 when there is none. */
export const headOf = ({ seqs }: Feed): number => itemAt(seqs, seqs.length - 1) ?? 0;

/** Numbers of the first events after a cursor. */
export function eventsAfter({ seqs }: Feed, after: number, limit: number): number[] {
  const from = lowerBound(seqs, (seq) => seq > after);
  return seqs.items.slice(from, Math.min(from + limit, seqs.length));
}
