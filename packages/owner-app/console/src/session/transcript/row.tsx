import { useMemo, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { TranscriptMessage } from './message.tsx';
import type { Row } from './rows.ts';

interface TranscriptRowProps {
  readonly row: Row;
  readonly words: readonly string[];
  readonly index: number;
  readonly isMarked: boolean;
  readonly isUnfolded: boolean;
  readonly onFold: (id: number, event: MouseEvent) => void;
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** A message. If the message is the first message of its day, the day is shown above it. */
export function TranscriptRow({ row, words, index, isMarked, isUnfolded, onFold }: TranscriptRowProps) {
  const fold = useRef(onFold);
  fold.current = onFold;
  const { entry, startsDay, continues } = row;
  // Preact does not render the same element object again, so scrolling renders only the rows that become visible.
  const message = useMemo(
    () => (
      <TranscriptMessage
        entry={entry}
        continues={continues}
        words={words}
        isUnfolded={isUnfolded}
        onFold={(event) => fold.current(entry.id, event)}
      />
    ),
    [entry, continues, words, isUnfolded],
  );
  const kind = entry.eventText.heading === '' ? 'settles' : continues ? 'continues' : 'speaks';
  return (
    <>
      {startsDay && <p class="day">{DAY.format(new Date(entry.at))}</p>}
      <article
        id={`m-${entry.id}`}
        class={`message ${entry.from} ${kind}${isMarked ? ' marked' : ''}`}
        aria-label={`${visible(entry.name)}, message ${entry.id}`}
        tabIndex={-1}
        aria-posinset={index + 1}
        aria-setsize={-1}
      >
        {message}
      </article>
    </>
  );
}
