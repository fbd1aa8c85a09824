import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { LiveSession } from '../../state/live-session.ts';
import { markedWords } from '../../state/marked-words.ts';
import { lazy } from '../../ui/requests/lazy.tsx';
import { useAllEvents } from '../use-all-events.ts';
import { TranscriptFilter } from './filter-bar.tsx';
import { LastMessages } from './last-messages.tsx';
import { AT_THE_END, indexAt, linkedId } from './position.ts';
import { createTranscript, type Filter, filterEntries, NO_FILTER, rowsOf, speakersIn, wordsIn } from './rows.ts';
import { useRestOfWindow } from './window.ts';
import '../../styles/transcript.css';

/** The panels beside the messages. Their code is loaded when the messages are shown. */
const Beside = lazy(async () => (await import('./beside.tsx')).Beside);

const TranscriptList = lazy(async () => (await import('./list.tsx')).TranscriptList, LastMessages);

/** The tab with the live transcript, and with decisions, questions and interventions beside the transcript. */
export function TranscriptTab({ live }: { readonly live: LiveSession }) {
  const place = useRef<HTMLDivElement>(null);
  useRestOfWindow(place);
  const view = live.view.value;
  return (
    <div class="transcript-tab" ref={place}>
      <Conversation live={live} />
      {view && (
        <aside class="beside" aria-label="Decisions and interventions">
          <Beside live={live} view={view} />
        </aside>
      )}
    </div>
  );
}

function Conversation({ live }: { readonly live: LiveSession }) {
  const read = useMemo(createTranscript, [live]);
  const filter = useSignal<Filter>(NO_FILTER);
  const reading = useSignal(AT_THE_END);
  const unfolded = useSignal<ReadonlySet<number>>(new Set());
  const link = useLink(() => {
    filter.value = NO_FILTER;
  });
  const events = live.events.value;
  const view = live.view.value;
  const entries = read(events, view ?? undefined);
  const hasEarlier = live.hasEarlier.value;
  const firstId = events[0]?.id ?? 0;
  const sought = link.target.value;
  const isSeekingEarlier = sought !== null && entries.length > 0 && indexAt(entries, sought) < 0;
  useAllEvents(live, filter.value !== NO_FILTER || isSeekingEarlier);
  const rows = useMemo(() => rowsOf(filterEntries(entries, filter.value)), [entries, filter.value]);
  const words = useMemo(() => wordsIn(filter.value.words), [filter.value.words]);
  const speakers = useMemo(() => speakersIn(entries), [entries]);
  const marked = link.marked.value === null ? null : (entries[indexAt(entries, link.marked.value)]?.id ?? null);
  // A hit of a search leads to its words, which the digest of a long message may lack.
  useEffect(() => {
    if (marked !== null && markedWords.peek().length > 0) unfolded.value = new Set([...unfolded.value, marked]);
  }, [marked]);
  const isCaughtUp = useRef(false);
  isCaughtUp.current ||= (events.at(-1)?.id ?? 0) >= (view?.head.seq ?? Number.POSITIVE_INFINITY);
  return (
    <section class="conversation" aria-label="Transcript">
      <TranscriptFilter
        filter={filter}
        speakers={speakers}
        count={rows.length}
        total={entries.length}
        firstId={hasEarlier ? (entries[0]?.id ?? null) : null}
        isCaughtUp={isCaughtUp.current}
        onEarlier={hasEarlier ? () => void live.readEarlier() : null}
      />
      {entries.length === 0 && <p class="waiting">Loading…</p>}
      {entries.length > 0 && rows.length === 0 && <p class="empty">No message matches.</p>}
      <TranscriptList
        rows={rows}
        firstId={firstId}
        onTop={() => void (hasEarlier && live.readEarlier())}
        words={words}
        place={reading}
        unfolded={unfolded}
        target={link.target}
        marked={marked}
        isCaughtUp={isCaughtUp.current}
      />
    </section>
  );
}

/**
 * Returns two signals, `target` and `marked`. Both contain the number of the message that the fragment of the address
 * named last, or null if no fragment has named a message. When the list has scrolled to the message, the list sets
 * `target` to null.
 */
function useLink(onFollow: () => void) {
  const first = linkedId(location.hash);
  const target = useSignal(first);
  const marked = useSignal(first);
  useEffect(() => {
    const follow = (): void => {
      const id = linkedId(location.hash);
      if (id === null) return;
      onFollow();
      marked.value = id;
      target.value = id;
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return { target, marked };
}
