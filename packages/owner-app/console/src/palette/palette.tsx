import { type Signal, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { agentName } from '../../../src/text/agent.ts';
import { recordPath } from '../../../src/text/record-address.ts';
import { hitPlace, hitsText, standingText } from '../../../src/text/records/hits.ts';
import { visible } from '../../../src/text/visible.ts';
import { withMarks } from '../state/marked-words.ts';
import { sessions, useSessions } from '../state/overview.ts';
import { go, route, tabOfRecord, toMessage } from '../state/route.ts';
import { Dialog } from '../ui/controls/dialog.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { Link } from '../ui/text/link.tsx';
import { actorName, SafeText, When } from '../ui/text/shown.tsx';
import {
  findMore,
  findWords,
  type Hit,
  hits,
  isSearching,
  next,
  type Result,
  resultsFor,
  searchError,
} from './search.ts';
import '../styles/palette.css';

interface PaletteProps {
  readonly typed: Signal<string>;
  readonly onClose: () => void;
}

/**
 * A dialog that finds sessions, records and pages of the console, and starts the search for words in all sessions. It
 * opens the result that the user chooses.
 */
export function Palette({ typed, onClose }: PaletteProps) {
  const chosen = useSignal(0);
  const list = useId();
  useSessions();
  const here = route.value;
  const results = resultsFor(typed.value, sessions.value ?? [], here.page === 'session' ? here.sessionId : null);
  const last = results.length - 1;
  const open = ({ address, words }: Result): void => {
    onClose();
    if (words !== undefined) void findWords(words);
    go(address);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = Math.min(Math.max(chosen.value + step, 0), last);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const result = results[chosen.value];
      if (result) open(result);
    }
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Type a title, the beginning of an id, or words"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={results.length > 0 ? `${list}-${chosen.value}` : undefined}
          autocomplete="off"
          aria-describedby={`${list}-help`}
          placeholder={here.page === 'session' ? 'Title, id such as q_7, or words' : 'Title or words'}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <p class="hint" id={`${list}-help`}>
          {here.page === 'session'
            ? 'Type part of a title, an id of this session such as q_7, or words that somebody said. Put a phrase in double quotes.'
            : 'Type part of a title, the beginning of the id of a session, or words that somebody said. Put a phrase in double quotes.'}
        </p>
        <div class="palette-list" id={list} role="listbox" aria-label="Matches">
          {results.map((result, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys, as in every combobox.
            <div
              key={result.key}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen.value}
              onClick={() => open(result)}
            >
              <SafeText text={result.text} /> <span class="muted">{result.detail}</span>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

/** The hits of the last search, with a button that continues the search in older sessions. */
export function FoundWords({ words }: { readonly words: string }) {
  return (
    <section class="stack" aria-label="Found in transcripts and contracts">
      <p role="status" class="muted">
        {isSearching.value
          ? 'Searching…'
          : searchError.value === null && hitsText(hits.value.length, next.value === null)}
      </p>
      <Failure error={searchError.value} />
      <ul class="plain">
        {hits.value.map((hit) => (
          <HitItem key={`${hit.session_id} ${hit.seq} ${hit.record.id}`} hit={hit} />
        ))}
      </ul>
      {next.value !== null && !isSearching.value && (
        <div class="buttons">
          <button type="button" onClick={() => void findMore(words)}>
            Search older sessions
          </button>
        </div>
      )}
    </section>
  );
}

function HitItem({ hit }: { readonly hit: Hit }) {
  const { at, from, name } = hit;
  const standing = standingText(hit);
  return (
    <li class="record">
      <p class="facts">
        <HitLink hit={hit} />
        {standing !== '' && <span>{standing}</span>}
        <span>{name === null ? actorName(from) : agentName(from, name)}</span>
        <When at={at} withDate />
      </p>
      <p>
        <Excerpt hit={hit} />
      </p>
    </li>
  );
}

/** The words of a hit as its text has them. */
const wordsOf = ({ excerpt, marks }: Hit): string[] => marks.map(({ start, end }) => excerpt.slice(start, end));

/** The address of a hit. A revision is shown as its whole contract, because a list of changes may lack the words. */
function addressOf({ session_id, record, kind }: Hit, message: number | null): string {
  if (message !== null) return toMessage(session_id, message);
  const path = recordPath(session_id, record.id);
  if (record.type !== 'revision') return path;
  return kind === 'revision.created' ? `${path}?show=read` : `${path}#section-reviews`;
}

/** A link to the record of a hit or, if no tab shows this record, to the message. */
function HitLink({ hit }: { readonly hit: Hit }) {
  const { title } = hit;
  const place = hitPlace(hit, tabOfRecord(hit.record.id) !== undefined);
  const { text } = place;
  return (
    <Link to={withMarks(addressOf(hit, place.message), wordsOf(hit))}>
      <SafeText text={title} /> {text}
    </Link>
  );
}

/** The excerpt of a hit, with the searched words highlighted. */
function Excerpt({ hit: { excerpt, marks } }: { readonly hit: Hit }) {
  const starts = [0, ...marks.map(({ end }) => end)];
  return (
    <span class="said">
      {starts.map((start, index) => {
        const mark = marks[index];
        return (
          <Fragment key={start}>
            {visible(excerpt.slice(start, mark?.start))}
            {mark && <mark>{visible(excerpt.slice(mark.start, mark.end))}</mark>}
          </Fragment>
        );
      })}
    </span>
  );
}
