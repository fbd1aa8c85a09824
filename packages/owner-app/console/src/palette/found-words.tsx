import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { agentName } from '../../../src/text/agent.ts';
import { recordPath } from '../../../src/text/record-address.ts';
import { alsoText, elsewhereText, foldHits, standingText } from '../../../src/text/records/fold-hits.ts';
import { visible } from '../../../src/text/visible.ts';
import { ApiError } from '../api/api-error.ts';
import { get } from '../api/client.ts';
import { tabOfRecord, toMessage } from '../state/route.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { Link } from '../ui/text/link.tsx';
import { actorName, SafeText, When } from '../ui/text/shown.tsx';

interface Hit {
  readonly session_id: string;
  readonly title: string;
  readonly seq: number;
  readonly at: string;
  readonly from: string;
  readonly name: string | null;
  readonly record: { readonly id: string };
  readonly status?: string;
  readonly superseded_by?: string;
  readonly excerpt: string;
  /** The searched words that are not in the excerpt. */
  readonly elsewhere?: readonly string[];
  /** Positions of the words in the excerpt. `end` is the position after the word. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

interface Found {
  readonly hits: readonly Hit[];
  readonly next_after: string | null;
}

interface FoundWordsProps {
  readonly words: string;
  readonly onOpen: () => void;
}

/**
 * Maximum number of calls in one search. Each call searches only a part of the logs, so the search repeats calls until
 * a call finds something.
 */
const CALLS = 5;

/** The hits of a search for words in all sessions, newest first. */
export function FoundWords({ words, onOpen }: FoundWordsProps) {
  const hits = useSignal<readonly Hit[]>([]);
  const next = useSignal<string | null>('');
  const error = useSignal<ApiError | null>(null);
  const isBusy = useSignal(false);
  const search = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const before = hits.value.length;
      for (let calls = 0; calls < CALLS && next.value !== null && hits.value.length === before; calls += 1) {
        const query = next.value === '' ? { words } : { words, after: next.value };
        const found: Found = await get<Found>('/find', query);
        hits.value = [...hits.value, ...found.hits];
        next.value = found.next_after;
      }
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      error.value = thrown;
    }
    isBusy.value = false;
  };
  useEffect(() => void search(), []);
  return (
    <section class="stack" aria-label="Found in transcripts and contracts">
      <p role="status" class="muted">
        {isBusy.value ? 'Searching…' : `Hits: ${hits.value.length}${next.value === null ? '' : ' so far'}.`}
      </p>
      <Failure error={error.value} />
      <ul class="plain">
        {foldHits(hits.value).map(({ hit, also }) => (
          <HitItem key={`${hit.session_id} ${hit.seq} ${hit.record.id}`} hit={hit} also={also} onOpen={onOpen} />
        ))}
      </ul>
      {next.value !== null && !isBusy.value && (
        <button type="button" onClick={() => void search()}>
          Search older sessions
        </button>
      )}
    </section>
  );
}

interface HitItemProps {
  readonly hit: Hit;
  /** The other sessions that have the same text. */
  readonly also: readonly string[];
  readonly onOpen: () => void;
}

function HitItem({ hit, also, onOpen }: HitItemProps) {
  const { session_id, title, seq, at, from, name, record } = hit;
  const standing = standingText(hit);
  const notes = [elsewhereText(hit.elsewhere ?? []), alsoText(also)].filter((note) => note !== '');
  const hasPage = tabOfRecord(record.id) !== undefined;
  const address = hasPage ? recordPath(session_id, record.id) : toMessage(session_id, seq);
  return (
    <li class="record">
      <p class="facts">
        <Link to={address} onFollow={onOpen}>
          <SafeText text={title} /> {hasPage ? record.id : `message ${seq}`}
        </Link>
        {standing !== '' && <span>{standing}</span>}
        <span>{name === null ? actorName(from) : agentName(from, name)}</span>
        <When at={at} />
      </p>
      <p>
        <Excerpt hit={hit} />
      </p>
      {notes.map((note) => (
        <p key={note} class="muted">
          <SafeText text={note} />
        </p>
      ))}
    </li>
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
