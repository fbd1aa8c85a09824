import '../../styles/transcript.css';
import { plural } from '@parley/core/text';
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { type LiveSession, useAllEvents } from '../../state/live-session.ts';
import { markedWords } from '../../state/route.ts';
import { setting } from '../../state/setting.ts';
import { lazy, Pending } from '../../ui/requests.tsx';
import type { TranscriptListProps } from './list.tsx';
import { TranscriptRow } from './message.tsx';
import {
  AT_THE_END,
  createTranscript,
  type Filter,
  filterEntries,
  indexAt,
  linkedId,
  NO_FILTER,
  rowsOf,
  speakersIn,
  TOPICS,
  type Topic,
  wordsIn,
} from './rows.ts';

interface TranscriptFilterProps {
  readonly filter: Signal<Filter>;
  readonly speakers: readonly { readonly role: string; readonly name: string }[];
  readonly count: number;
  readonly total: number;
  /** The number of the first loaded message. Null if all messages are loaded. */
  readonly firstId: number | null;
  /** Whether the page has received all messages that existed when it was opened. */
  readonly isCaughtUp: boolean;
  /** Reads earlier messages. Null if there are none. */
  readonly onEarlier: (() => void) | null;
}

const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  all: 'All',
  conversation: 'Conversation',
  decisions: 'Decisions',
};

function TranscriptFilter(props: TranscriptFilterProps) {
  const { filter, speakers, count, total, onEarlier } = props;
  const id = useId();
  const change = (part: Partial<Filter>): void => {
    filter.value = { ...filter.value, ...part };
  };
  const { topic, speaker, words } = filter.value;
  const isFiltered = count !== total || words !== '';
  return (
    <search class="row transcript-filter">
      <fieldset class="segments">
        <legend class="unseen">Messages</legend>
        {TOPICS.map((name) => (
          <label key={name}>
            <input type="radio" name={id} checked={topic === name} onChange={() => change({ topic: name })} />
            <span>{TOPIC_NAMES[name]}</span>
          </label>
        ))}
      </fieldset>
      <select aria-label="Speaker" value={speaker} onChange={(event) => change({ speaker: event.currentTarget.value })}>
        <option value="">Everybody</option>
        {speakers.map(({ role, name }) => (
          <option key={role} value={role}>
            {visible(name)}
          </option>
        ))}
      </select>
      <input
        type="search"
        aria-label="Search the transcript"
        placeholder="Search"
        value={words}
        onInput={(event) => change({ words: event.currentTarget.value })}
      />
      <span class="muted" role="status">
        {isFiltered ? `${count} of ${total}` : loadedText(props)}
      </span>
      {onEarlier && (
        <button type="button" class="quiet" onClick={onEarlier}>
          Earlier messages
        </button>
      )}
      {isFiltered && (
        <button type="button" class="quiet" onClick={setting(filter, NO_FILTER)}>
          Show all
        </button>
      )}
    </search>
  );
}

/** Which messages are loaded, such as `the last 14 messages, from #79`. */
function loadedText({ total, firstId, isCaughtUp }: TranscriptFilterProps): string {
  if (!isCaughtUp) return 'Loading…';
  const count = plural(total, 'message');
  return firstId === null ? count : `the last ${count}, from #${firstId}`;
}

/** Number of rendered messages. They fill even the largest windows. */
const LAST = 20;

/** The last messages, scrolled to the end. Shown while the code of `TranscriptList` is loading. */
function LastMessages({ rows, words, unfolded }: TranscriptListProps) {
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

const MARGIN_PX = 12;

/**
 * Sets the CSS variable `--rest` of an element, so that the element can fill the rest of the window. `--rest` is the
 * height from the top of the element to the bottom of the window, less `MARGIN_PX`.
 */
function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
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
  const link = useLink(setting(filter, NO_FILTER));
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
      {entries.length === 0 && <Pending />}
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
