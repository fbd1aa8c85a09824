import './styles/palette.css';
import { batch, type Signal, signal, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { agentName } from '../../src/text/agent.ts';
import { recordPath } from '../../src/text/record-address.ts';
import { hitPlace, hitsText, standingText } from '../../src/text/record-words.ts';
import { visible } from '../../src/text/visible.ts';
import { ApiError, type Found, type Glance } from './api/answers.ts';
import { call, signIns } from './api/client.ts';
import {
  go,
  route,
  tabOfRecord,
  toAudit,
  toFind,
  toInbox,
  toMessage,
  toNew,
  toSession,
  toTable,
  withMarks,
} from './state/route.ts';
import { sessions, useSessions } from './state/sessions.ts';
import { Dialog } from './ui/controls/dialog.tsx';
import { Failure } from './ui/requests.tsx';
import { Link } from './ui/text/linked-text.tsx';
import { actorName, SafeText, When } from './ui/text/shown.tsx';

export type Hit = Found['hits'][number];

/** Maximum number of calls in one step of a search. Each call searches only a part of the logs. */
const CALLS = 5;

/** One step of a search ends after this number of hits. */
const ENOUGH_HITS = 50;

/**
 * The hits of the last search of this tab, newest first. They are kept while another page is shown, so that a step back
 * in the history of the browser shows them at once.
 */
export const hits = signal<readonly Hit[]>([]);
/** The parameter `after` of the next call of the search. Empty before the first call, null if all sessions were searched. */
export const next = signal<string | null>('');
export const searchError = signal<ApiError | null>(null);
export const isSearching = signal(false);

let last = '';
let searches = 0;

const keyOf = (words: string): string => `${signIns.value} ${words}`;

/** Whether `hits` are the hits of these words, found since the last sign-in. */
export const hasFound = (words: string): boolean => last === keyOf(words);

/** Searches all sessions for words, from the newest session on. */
export function findWords(words: string): Promise<void> {
  last = keyOf(words);
  searches += 1;
  batch(() => {
    hits.value = [];
    next.value = '';
  });
  return findMore(words);
}

/** Continues the search in older sessions. Answers are ignored if another search has been started. */
export async function findMore(words: string): Promise<void> {
  const search = searches;
  const before = hits.value.length;
  isSearching.value = true;
  searchError.value = null;
  try {
    for (let calls = 0; calls < CALLS && next.value !== null && hits.value.length < before + ENOUGH_HITS; calls += 1) {
      const found = await call('find', next.value === '' ? { words } : { words, after: next.value });
      if (search !== searches) return;
      batch(() => {
        hits.value = [...hits.value, ...found.hits];
        next.value = found.next_after;
      });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (search === searches) searchError.value = error;
  } finally {
    if (search === searches) isSearching.value = false;
  }
}

export interface Result {
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly address: string;
  /** The words that this result finds in all sessions. */
  readonly words?: string;
}

/** Maximum number of sessions in the results. */
const MOST = 20;

/** A page of the console. */
interface Place extends Result {
  /** Further words by which the palette finds the page. */
  readonly others?: string;
}

/** Found only by typed words, unlike `PLACES`, which are also listed before anything is typed. */
const DEFECTS: Place = {
  key: 'defects',
  text: 'Sessions with open defects',
  detail: 'the table of sessions, filtered',
  others: 'disputed',
  address: `${toTable()}?defects=open`,
};

const PLACES: readonly Result[] = [
  { key: 'inbox', text: 'Inbox', detail: 'what waits for you', address: toInbox() },
  { key: 'sessions', text: 'Sessions', detail: 'all sessions as a table', address: toTable() },
  { key: 'new', text: 'New session', detail: 'describe what is to be built', address: toNew() },
  { key: 'audit', text: 'Audit', detail: 'what people have done', address: toAudit() },
];

/**
 * Finds the results for the typed words, in this order: a record of the shown session by its id; the sessions and pages
 * that the typed words name exactly; the search for the words in all sessions; sessions by id or title; pages of the
 * console.
 *
 * @param shownSession id of the session that is shown; null on other pages
 */
export function resultsFor(typed: string, sessions: readonly Glance[], shownSession: string | null): readonly Result[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (title: string): boolean => words.every((word) => title.toLowerCase().includes(word));
  const record = shownSession !== null && tabOfRecord(text) ? [recordIn(shownSession, text)] : [];
  const places = [...PLACES, DEFECTS].filter(({ text: name, others = '' }: Place) => isMatch(`${name} ${others}`));
  const found = sessions
    .filter((session) => isMatch(session.title) || (text.length >= 3 && session.session_id.startsWith(text)))
    .slice(0, MOST)
    .map(({ session_id, title, phase, status }) => ({
      key: session_id,
      text: title,
      detail: status === 'ACTIVE' ? phase : `${phase}, ${status}`,
      address: toSession(session_id),
    }));
  if (text === '') return [...PLACES, ...found];
  const isNamed = ({ key, text: name }: Result): boolean =>
    name.toLowerCase() === text.toLowerCase() || (text.length >= 3 && key.startsWith(text));
  const named = [...found, ...places].filter(isNamed);
  const others = [...found, ...places].filter((result) => !isNamed(result));
  return [...record, ...named, searchFor(text), ...others];
}

const searchFor = (words: string): Result => ({
  key: 'find',
  text: `Find “${words.replaceAll('"', '')}”`,
  detail: 'in the transcripts and contracts of all sessions',
  address: toFind(words),
  words,
});

const recordIn = (sessionId: string, id: string): Result => ({
  key: `record ${id}`,
  text: id,
  detail: 'in this session',
  address: recordPath(sessionId, id),
});

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
      <div class="stack palette">
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
