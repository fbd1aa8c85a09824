import type { Signal } from '@preact/signals';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { scrollToMarked } from '../mark-words.tsx';
import { TranscriptRow } from './message.tsx';
import { grown, guessHeight, indexAt, type ListPosition, NEAR_PX, newBelow, type Row, scrolled } from './rows.ts';

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

export interface TranscriptListProps {
  readonly rows: readonly Row[];
  /** Number of the first event that the page has loaded. 1 if the page has loaded all events. */
  readonly firstId: number;
  /** Called when the reader scrolls near the first message of the list. */
  readonly onTop: () => void;
  readonly words: readonly string[];
  readonly place: Signal<ListPosition>;
  /** The message to which the list must scroll, from the address. Null when the list has scrolled there. */
  readonly target: Signal<number | null>;
  /** The message of the last followed link. The list highlights it. */
  readonly marked: number | null;
  /** Numbers of the messages that the user has unfolded. */
  readonly unfolded: Signal<ReadonlySet<number>>;
  /** Whether the page has received all events that existed when it was opened. */
  readonly isCaughtUp: boolean;
}

/** If at most this many pixels of the list are above the visible part, `onTop` is called. */
const TOP_PX = 600;

/** The list of messages. Only the messages near the visible part are rendered. */
export function TranscriptList({
  rows,
  firstId,
  onTop,
  words,
  place,
  target,
  marked,
  unfolded,
  isCaughtUp,
}: TranscriptListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(rows, scroller);
  const entries = useMemo(() => rows.map(({ entry }) => entry), [rows]);
  const lastId = entries.at(-1)?.id ?? 0;
  useKeepEnd(virtualizer, scroller, place);
  const wasCaughtUp = useRef(isCaughtUp);
  useLayoutEffect(() => {
    place.value = grown(place.value, lastId, wasCaughtUp.current);
    wasCaughtUp.current = isCaughtUp;
    const { value: sought } = target;
    if (sought === null && place.value.isAtEnd) virtualizer.scrollToEnd();
    // Events that arrive later would move the list away from the message: while they arrive, the list follows its end.
    if (sought === null || !isCaughtUp) return undefined;
    const index = indexAt(entries, sought);
    // The sought message is not loaded yet if all loaded entries are after it and the log has earlier events.
    const entry = entries[firstId > 1 ? index : Math.max(0, index)];
    if (!entry) return undefined;
    place.value = { ...place.value, isAtEnd: false, seenId: lastId };
    virtualizer.scrollToIndex(entries.indexOf(entry), { align: 'center' });
    return whenStill(entry.id, (message) => {
      target.value = null;
      scroller.current?.scrollIntoView({ block: 'nearest' });
      message?.focus({ preventScroll: true });
      if (message) scrollToMarked(message);
      readPlace();
    });
  }, [entries, firstId, lastId, isCaughtUp, target.value]);

  const onFold = (id: number, event: MouseEvent): void => {
    const row = (event.currentTarget as HTMLElement).closest('article');
    const before = row?.getBoundingClientRect().top ?? 0;
    // From now on, the list does not scroll to new messages. Otherwise new messages would move the unfolded message out
    // of view.
    place.value = { ...place.value, isAtEnd: false, seenId: lastId };
    unfolded.value = toggled(unfolded.value, id);
    afterLayout(() => {
      const after = document.getElementById(`m-${id}`)?.getBoundingClientRect().top ?? before;
      if (scroller.current) scroller.current.scrollTop += after - before;
      document.querySelector<HTMLElement>(`#m-${id} .fold`)?.focus({ preventScroll: true });
    });
  };
  const readPlace = (): void => {
    // While the list scrolls to a message, earlier rows are not added, because they would move the message away.
    if (target.value !== null || !scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    place.value = scrolled(place.value, { topPx: scrollTop, belowPx: scrollHeight - clientHeight - scrollTop }, lastId);
    if (!place.value.isAtEnd && scrollTop < TOP_PX) onTop();
  };
  const shown = virtualizer.getVirtualItems();
  const count = newBelow(place.value, entries);
  return (
    <div class="transcript-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <div class="scroller" ref={scroller} onScroll={readPlace} role="feed" aria-label="Messages" tabIndex={0}>
        <div class="whole" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <div class="shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
            {shown.map(({ index, key }) => {
              const row = rows[index];
              return (
                row && (
                  <div key={key} data-index={index} ref={virtualizer.measureElement}>
                    <TranscriptRow
                      row={row}
                      words={words}
                      index={index}
                      isMarked={row.entry.id === marked}
                      isUnfolded={unfolded.value.has(row.entry.id)}
                      onFold={onFold}
                    />
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      {!place.value.isAtEnd && (
        <button type="button" class="primary to-end" onClick={() => virtualizer.scrollToEnd()}>
          {count > 0 ? `${count} new below ↓` : 'To the end ↓'}
        </button>
      )}
    </div>
  );
}

const toggled = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> =>
  ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]);

/** Calls `work` when the list has measured the changed rows, which takes two frames. */
const afterLayout = (work: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(work));

/**
 * Keeps the end of the list visible if the height of the list decreases. Browsers fire no scroll event in that case.
 */
function useKeepEnd(
  virtualizer: Rows,
  scroller: { readonly current: HTMLElement | null },
  place: Signal<ListPosition>,
): void {
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      if (place.peek().isAtEnd) virtualizer.scrollToEnd();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [virtualizer]);
}
