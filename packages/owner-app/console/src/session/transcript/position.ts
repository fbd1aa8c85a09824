import type { Entry } from './entries.ts';

/** The reader's position. At the end, the list follows new messages. Further up, the list does not move. */
export interface Place {
  readonly isAtEnd: boolean;
  /** The last message that was shown when the reader was at the end. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: Place = { isAtEnd: true, seenId: 0, topPx: 0 };

/** If the end of the list is at most this many pixels below the visible part, the reader is at the end. */
export const NEAR_PX = 48;

interface Scroll {
  readonly topPx: number;
  readonly belowPx: number;
}

/**
 * The position after the list was scrolled. The reader leaves the end only by scrolling up. Growth of the list, or measuring
 * its rows again, does not count as leaving.
 */
export function scrolled(place: Place, { topPx, belowPx }: Scroll, lastId: number): Place {
  if (belowPx <= NEAR_PX) return { isAtEnd: true, seenId: lastId, topPx };
  const hasLeft = !place.isAtEnd || topPx < place.topPx;
  return { ...place, isAtEnd: !hasLeft, topPx };
}

/** The position after new messages. If the reader is at the end, the new messages count as seen. */
export const grown = (place: Place, lastId: number, isNews: boolean): Place =>
  (place.isAtEnd || !isNews) && place.seenId !== lastId ? { ...place, seenId: lastId } : place;

/** The number of messages after the last one that the reader has seen. 0 if the reader is at the end. */
export function newBelow({ isAtEnd, seenId }: Place, entries: readonly Entry[]): number {
  if (isAtEnd) return 0;
  return entries.length - 1 - indexAt(entries, seenId);
}

/**
 * The index of the entry with this number, or of the last entry before it. Records of a turn have no entry of their own; they
 * are shown in the entry of the turn.
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

/** The number of the message that the fragment of an address names, or null. */
export function linkedId(hash: string): number | null {
  const [, id] = /^#m-(\d{1,10})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
}

export const linkTo = (id: number): string => `#m-${id}`;
