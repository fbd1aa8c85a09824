import type { Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { TranscriptMessage } from './message.tsx';
import { grown, indexAt, newBelow, type Place, scrolled } from './position.ts';
import type { Row } from './rows.ts';
import { type Rows, useVirtualRows } from './virtual.ts';

interface TranscriptListProps {
  readonly rows: readonly Row[];
  readonly words: readonly string[];
  readonly place: Signal<Place>;
  /** The message to which the address links, until the list has scrolled to it; then null. */
  readonly target: Signal<number | null>;
  /** The message to which the address linked last; it is marked in the list. */
  readonly marked: number | null;
  /** Whether the page has received all events that existed when it was opened. */
  readonly isCaughtUp: boolean;
}

/** The list of messages. Only the messages near the visible part are drawn. */
export function TranscriptList({ rows, words, place, target, marked, isCaughtUp }: TranscriptListProps) {
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
    if (sought === null || rows.length === 0 || (lastId < sought && !isCaughtUp)) return;
    target.value = null;
    place.value = { ...place.value, isAtEnd: false, seenId: lastId };
    virtualizer.scrollToIndex(Math.max(0, indexAt(entries, sought)), { align: 'center' });
  }, [entries, lastId, isCaughtUp, target.value]);

  const onScroll = (event: Event): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget as HTMLElement;
    if (target.value !== null) return;
    place.value = scrolled(place.value, { topPx: scrollTop, belowPx: scrollHeight - clientHeight - scrollTop }, lastId);
  };
  const shown = virtualizer.getVirtualItems();
  const count = newBelow(place.value, entries);
  return (
    <div class="transcript-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div class="scroller" ref={scroller} onScroll={onScroll} role="feed" aria-label="Messages" tabIndex={0}>
        <div class="whole" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <div class="shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
            {shown.map(({ index, key }) => {
              const row = rows[index];
              return (
                row && (
                  <div key={key} data-index={index} ref={virtualizer.measureElement}>
                    <TranscriptRow row={row} words={words} index={index} isMarked={row.entry.id === marked} />
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      {!place.value.isAtEnd && (
        <button type="button" class="to-end" onClick={() => virtualizer.scrollToEnd()}>
          {count > 0 ? `${count} new below ↓` : 'To the end ↓'}
        </button>
      )}
    </div>
  );
}

/**
 * Keeps the end of the list visible when the list's height shrinks. Without this, the end would be hidden, and no scroll event
 * would report it.
 */
function useKeepEnd(virtualizer: Rows, scroller: { readonly current: HTMLElement | null }, place: Signal<Place>): void {
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

interface TranscriptRowProps {
  readonly row: Row;
  readonly words: readonly string[];
  readonly index: number;
  readonly isMarked: boolean;
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

function TranscriptRow({ row, words, index, isMarked }: TranscriptRowProps) {
  const { entry, startsDay, continues } = row;
  // Preact does not render an element again if it is the same object. So scrolling renders only the rows that become visible.
  const message = useMemo(
    () => <TranscriptMessage entry={entry} continues={continues} words={words} />,
    [entry, continues, words],
  );
  const kind = entry.eventText.heading === '' ? 'settles' : continues ? 'continues' : 'speaks';
  return (
    <>
      {startsDay && <p class="day">{DAY.format(new Date(entry.at))}</p>}
      <article
        id={`m-${entry.id}`}
        class={`message ${entry.from} ${kind}${isMarked ? ' marked' : ''}`}
        aria-label={`${visible(entry.name)}, message ${entry.id}`}
        aria-posinset={index + 1}
        aria-setsize={-1}
      >
        {message}
      </article>
    </>
  );
}
