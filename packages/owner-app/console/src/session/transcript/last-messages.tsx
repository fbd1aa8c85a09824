import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TranscriptListProps } from './list.tsx';
import { TranscriptRow } from './row.tsx';

/** Number of rendered messages. They fill even the largest windows. */
const LAST = 20;

/** The last messages, scrolled to the end. Shown while the code of `TranscriptList` is loading. */
export function LastMessages({ rows, words, unfolded }: TranscriptListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const first = Math.max(0, rows.length - LAST);
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [rows]);
  return (
    <div class="transcript-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <div class="scroller" ref={scroller} role="feed" aria-label="Messages" tabIndex={0}>
        {rows.slice(first).map((row, index) => (
          <TranscriptRow
            key={row.entry.id}
            row={row}
            words={words}
            index={first + index}
            isMarked={false}
            isUnfolded={unfolded.value.has(row.entry.id)}
            onFold={(id) => {
              unfolded.value = new Set([...unfolded.value, id]);
            }}
          />
        ))}
      </div>
    </div>
  );
}
