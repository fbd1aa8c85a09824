import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { type Entry, guessHeight, type Row } from './rows.ts';

/** The reader's position in the list. If `isAtEnd` is true, the list scrolls to new messages. */
export interface ListPosition {
  readonly isAtEnd: boolean;
  /** The last message that the reader has seen at the end of the list. */
  readonly seenId: number;
  readonly topPx: number;
}

export const AT_THE_END: ListPosition = { isAtEnd: true, seenId: 0, topPx: 0 };

/** The reader is at the end if at most this many pixels of the list are below the visible part. */
const NEAR_PX = 48;

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

const OVERSCAN = 6;

export type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** Calculates the rendered rows and their positions. If the reader is at the end, the list scrolls to new rows. */
export function useVirtualRows(rows: readonly Row[], scroller: RefObject<HTMLElement | null>): Rows {
  const [, draw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const getItemKey = useCallback((index: number) => rows[index]?.entry.id ?? index, [rows]);
  const options = {
    count: rows.length,
    getItemKey,
    estimateSize: (index: number) => {
      const row = rows[index];
      return row ? guessHeight(row, scroller.current?.clientWidth ?? 700) : 0;
    },
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: OVERSCAN,
    anchorTo: 'end' as const,
    followOnAppend: true,
    scrollEndThreshold: NEAR_PX,
    onChange: () => draw(undefined),
  };
  const virtualizer = useMemo(() => new Virtualizer<HTMLElement, HTMLElement>(options), []);
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

const MARGIN_PX = 12;

/**
 * Sets the CSS variable `--rest` of an element, so that the element can fill the rest of the window. `--rest` is the
 * height from the top of the element to the bottom of the window, less `MARGIN_PX`.
 */
export function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const fit = (): void => {
      const top = Math.max(0, current.getBoundingClientRect().top);
      current.style.setProperty('--rest', `${Math.floor(innerHeight - top - MARGIN_PX)}px`);
    };
    // Changes the height in the next frame. A change inside the callback would trigger the observer again.
    const observer = new ResizeObserver(() => requestAnimationFrame(fit));
    fit();
    observer.observe(document.body);
    addEventListener('resize', fit);
    addEventListener('scroll', fit, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('resize', fit);
      removeEventListener('scroll', fit);
    };
  }, []);
}

/** If the message has not moved for this number of frames, `whenStill` calls `onStill`. */
const STILL_FRAMES = 3;
/**
 * After this number of frames, `onStill` is called even if the message still moves, for example because the reader
 * scrolls.
 */
const MOST_FRAMES = 60;

/**
 * Calls `onStill` when the message no longer moves on the screen. The list measures its rows and corrects its scroll
 * position over several frames.
 *
 * @returns a function that cancels the call
 */
export function whenStill(id: number, onStill: (message: HTMLElement | null) => void): () => void {
  let lastTop: number | undefined;
  let still = 0;
  let frames = 0;
  const look = (): void => {
    const message = document.getElementById(`m-${id}`);
    const top = message?.getBoundingClientRect().top;
    still = top !== undefined && top === lastTop ? still + 1 : 0;
    lastTop = top;
    frames += 1;
    if (still >= STILL_FRAMES || frames >= MOST_FRAMES) onStill(message);
    else frame = requestAnimationFrame(look);
  };
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
