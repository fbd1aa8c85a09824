import type { Entry } from './entries.ts';

/** Where somebody reads: at the end, where the list follows what comes, or further up, where it stands still. */
export interface Place {
  readonly isAtEnd: boolean;
  /** The last message that was there while the reader was at the end. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: Place = { isAtEnd: true, seenId: 0, topPx: 0 };

/** So near the end counts as being there. */
export const NEAR_PX = 48;

interface Scroll {
  readonly topPx: number;
  readonly belowPx: number;
}

/** Only moving up leaves the end: a list that grows or is measured anew below the reader does not. */
export function scrolled(place: Place, { topPx, belowPx }: Scroll, lastId: number): Place {
  if (belowPx <= NEAR_PX) return { isAtEnd: true, seenId: lastId, topPx };
  const hasLeft = !place.isAtEnd || topPx < place.topPx;
  return { ...place, isAtEnd: !hasLeft, topPx };
}

/** What comes while the reader is at the end is seen, and so is what was there before: only the rest is new. */
export const grown = (place: Place, lastId: number, isNews: boolean): Place =>
  (place.isAtEnd || !isNews) && place.seenId !== lastId ? { ...place, seenId: lastId } : place;

/** How many came below the reader. */
export function newBelow({ isAtEnd, seenId }: Place, entries: readonly Entry[]): number {
  if (isAtEnd) return 0;
  return entries.length - 1 - indexAt(entries, seenId);
}

/** The entry with this number, or the last before it: what a turn brought along stands in its turn. */
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

/** The number of a message in the part of an address behind `#`. */
export function linkedId(hash: string): number | null {
  const [, id] = /^#m-(\d{1,10})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
}

export const linkTo = (id: number): string => `#m-${id}`;
