import { Fragment } from 'preact';
import { agentName } from '../../../src/text/agent.ts';
import { recordPath } from '../../../src/text/record-address.ts';
import { alsoCount, elsewhereText, foldHits, hitsText, standingText } from '../../../src/text/records/fold-hits.ts';
import { visible } from '../../../src/text/visible.ts';
import { tabOfRecord, toMessage } from '../state/route.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { Link } from '../ui/text/link.tsx';
import { actorName, SafeText, When } from '../ui/text/shown.tsx';
import { findMore, type Hit, hits, isSearching, next, searchError } from './search.ts';

/** The hits of the last search, with a button that continues the search in older sessions. */
export function FoundWords({ words }: { readonly words: string }) {
  const folded = foldHits(hits.value);
  return (
    <section class="stack" aria-label="Found in transcripts and contracts">
      <p role="status" class="muted">
        {isSearching.value
          ? 'Searching…'
          : searchError.value === null && hitsText(hits.value.length, folded.length, next.value === null)}
      </p>
      <Failure error={searchError.value} />
      <ul class="plain">
        {folded.map(({ hit, also }) => (
          <HitItem key={`${hit.session_id} ${hit.seq} ${hit.record.id}`} hit={hit} also={also} />
        ))}
      </ul>
      {next.value !== null && !isSearching.value && (
        <button type="button" onClick={() => void findMore(words)}>
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
}

function HitItem({ hit, also }: HitItemProps) {
  const { at, from, name } = hit;
  const standing = standingText(hit);
  const elsewhere = elsewhereText(hit.elsewhere ?? []);
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
                <HitLink hit={other} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** A link to the record of a hit or, if no tab shows this record, to the message. */
function HitLink({ hit: { session_id, title, seq, record } }: Pick<HitItemProps, 'hit'>) {
  const hasPage = tabOfRecord(record.id) !== undefined;
  return (
    <Link to={hasPage ? recordPath(session_id, record.id) : toMessage(session_id, seq)}>
      <SafeText text={title} /> {hasPage ? record.id : `#${seq}`}
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
