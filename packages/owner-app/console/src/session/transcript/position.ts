import type { Entry } from './entries.ts';

/** The reader's position: at the end, where the list follows new messages, or further up, where it does not move. */
export interface Place {
  readonly isAtEnd: boolean;
  /** The last message that was shown while the reader was at the end. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: Place = { isAtEnd: true, seenId: 0, topPx: 0 };

/** Distance in pixels that still counts as the end. */
export const NEAR_PX = 48;

interface Scroll {
  readonly topPx: number;
  readonly belowPx: number;
}

/** The position after a scroll. Only scrolling up leaves the end; a list that grows or is measured again does not. */
export function scrolled(place: Place, { topPx, belowPx }: Scroll, lastId: number): Place {
  if (belowPx <= NEAR_PX) return { isAtEnd: true, seenId: lastId, topPx };
  const hasLeft = !place.isAtEnd || topPx < place.topPx;
  return { ...place, isAtEnd: !hasLeft, topPx };
}

/** The position after new messages. Messages that arrive while the reader is at the end count as seen. */
export const grown = (place: Place, lastId: number, isNews: boolean): Place =>
  (place.isAtEnd || !isNews) && place.seenId !== lastId ? { ...place, seenId: lastId } : place;

/** How many messages below the reader are new. */
export function newBelow({ isAtEnd, seenId }: Place, entries: readonly Entry[]): number {
  if (isAtEnd) return 0;
  return entries.length - 1 - indexAt(entries, seenId);
}

/** The index of the entry with this number, or of the last entry before it: records of a turn are shown in its entry. */
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

/** The number of a message in the fragment of an address. */
export function linkedId(hash: string): number | null {
  const [, id] = /^#m-(\d{1,10})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
}

export const linkTo = (id: number): string => `#m-${id}`;
