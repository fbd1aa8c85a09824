import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { agentName } from '../../../src/text/agent.ts';
import { recordPath } from '../../../src/text/record-address.ts';
import { alsoCount, elsewhereText, foldHits, hitsText, standingText } from '../../../src/text/records/fold-hits.ts';
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

/** Maximum number of calls in one search. Each call searches only a part of the logs. */
const CALLS = 5;
/** Number of new hits after which a search stops, even if older sessions are not searched yet. */
const ENOUGH_HITS = 50;

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
      for (
        let calls = 0;
        calls < CALLS && next.value !== null && hits.value.length < before + ENOUGH_HITS;
        calls += 1
      ) {
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
  const folded = foldHits(hits.value);
  return (
    <section class="stack" aria-label="Found in transcripts and contracts">
      <p role="status" class="muted">
        {isBusy.value ? 'Searching…' : hitsText(hits.value.length, folded.length, next.value === null)}
      </p>
      <p class="hint">A word also finds longer words that begin with it: port finds portal.</p>
      <Failure error={error.value} />
      <ul class="plain">
        {folded.map(({ hit, also }) => (
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
  /** A hit of each other session that has the same text. */
  readonly also: readonly Hit[];
  readonly onOpen: () => void;
}

function HitItem({ hit, also, onOpen }: HitItemProps) {
  const { at, from, name } = hit;
  const standing = standingText(hit);
  const elsewhere = elsewhereText(hit.elsewhere ?? []);
  return (
    <li class="record">
      <p class="facts">
        <HitLink hit={hit} onOpen={onOpen} />
        {standing !== '' && <span>{standing}</span>}
        <span>{name === null ? actorName(from) : agentName(from, name)}</span>
        <When at={at} />
      </p>
      <p>
        <Excerpt hit={hit} />
      </p>
      {elsewhere !== '' && (
        <p class="muted">
          <SafeText text={elsewhere} />
        </p>
      )}
      {also.length > 0 && (
        <details>
          <summary>{alsoCount(also.length)}</summary>
          <ul class="plain">
            {also.map((other) => (
              <li key={other.session_id}>
                <HitLink hit={other} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** A link to the record of a hit or, if no tab shows this record, to the message. */
function HitLink({ hit: { session_id, title, seq, record }, onOpen }: Pick<HitItemProps, 'hit' | 'onOpen'>) {
  const hasPage = tabOfRecord(record.id) !== undefined;
  return (
    <Link to={hasPage ? recordPath(session_id, record.id) : toMessage(session_id, seq)} onFollow={onOpen}>
      <SafeText text={title} /> {hasPage ? record.id : `message ${seq}`}
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
