import { plural } from '@parley/core/text';
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { type Filter, NO_FILTER, TOPICS, type Topic } from './rows.ts';

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

export function TranscriptFilter(props: TranscriptFilterProps) {
  const { filter, speakers, count, total, onEarlier } = props;
  const id = useId();
  const change = (part: Partial<Filter>): void => {
    filter.value = { ...filter.value, ...part };
  };
  const { topic, speaker, words } = filter.value;
  const isFiltered = count !== total || words !== '';
  return (
    <search class="transcript-filter">
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
        <button
          type="button"
          class="quiet"
          onClick={() => {
            filter.value = NO_FILTER;
          }}
        >
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
