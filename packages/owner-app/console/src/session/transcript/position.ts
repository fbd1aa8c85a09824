import type { Entry } from './rows.ts';

/** The reader's position in the list. If `isAtEnd` is true, the list scrolls to new messages. */
export interface ListPosition {
  readonly isAtEnd: boolean;
  /** The last message that the reader has seen at the end of the list. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: ListPosition = { isAtEnd: true, seenId: 0, topPx: 0 };

/** The reader is at the end if at most this many pixels of the list are below the visible part. */
export const NEAR_PX = 48;

interface Scroll {
  readonly topPx: number;
  readonly belowPx: number;
}

/**
 * Returns the reader's position after a scroll event. The reader leaves the end only by scrolling up, so changes of the
 * list's height do not count.
 */
export function scrolled(place: ListPosition, { topPx, belowPx }: Scroll, lastId: number): ListPosition {
  if (belowPx <= NEAR_PX) return { isAtEnd: true, seenId: lastId, topPx };
  const hasLeft = !place.isAtEnd || topPx < place.topPx;
  return { ...place, isAtEnd: !hasLeft, topPx };
}

/**
 * Returns the reader's position after new messages. A reader at the end has seen them. If `isNews` is false, the
 * messages existed when the page was opened, and count as seen.
 */
export const grown = (place: ListPosition, lastId: number, isNews: boolean): ListPosition =>
  (place.isAtEnd || !isNews) && place.seenId !== lastId ? { ...place, seenId: lastId } : place;

/**
 * Returns the number of messages after the last message that the reader has seen. Returns 0 if the reader is at the
 * end.
 */
export function newBelow({ isAtEnd, seenId }: ListPosition, entries: readonly Entry[]): number {
  if (isAtEnd) return 0;
  return entries.length - 1 - indexAt(entries, seenId);
}

/**
 * Returns the index of the entry with this number or, if there is none, of the last entry before this number. A record
 * of a turn has no entry of its own, because the entry of the turn shows the record.
 */
export function indexAt(entries: readonly Entry[], id: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.id ?? 0) <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Reads the number of a message from the fragment of an address. Returns null if the fragment has another form. */
export function linkedId(hash: string): number | null {
  const [, id] = /^#m-(\d{1,10})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
}

export const linkTo = (id: number): string => `#m-${id}`;
