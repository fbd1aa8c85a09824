import { useSignal } from '@preact/signals';
import { visible } from '../../../../src/text/visible.ts';
import type { Plan, RevisionDiff, RevisionText, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Choice } from '../../ui/field.tsx';
import { LazyMarkdown } from '../../ui/lazy-markdown.tsx';
import { roleName, SafeText, When } from '../../ui/shown.tsx';
import { useLongText } from '../../ui/use-long-text.ts';
import { useRead } from '../../ui/use-read.ts';
import { DiffView } from './diff-view.tsx';

const WAYS = [
  ['read', 'Read'],
  ['side', 'Side by side'],
  ['text', 'Text diff'],
  ['json', 'JSON'],
] as const;
type Way = (typeof WAYS)[number][0];

interface RevisionReaderProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly plan: Plan;
  readonly revisionId: string;
  readonly onChoose: (revisionId: string) => void;
}

/** Shows a revision: the whole text, or the difference to another revision. */
export function RevisionReader({ live, view, plan, revisionId, onChoose }: RevisionReaderProps) {
  const way = useSignal<Way>('read');
  const against = useSignal('');
  const others = view.revisions.filter(({ revision_id }) => revision_id !== revisionId);
  const base = others.some(({ revision_id }) => revision_id === against.value) ? against.value : '';
  const chosen = view.revisions.find(({ revision_id }) => revision_id === revisionId);
  const isDiff = way.value === 'side' || way.value === 'text';
  return (
    <section class="card revision-reader" aria-labelledby="reader-head">
      <h2 id="reader-head">
        {revisionId} {revisionId === plan.revision_id ? '' : '(not the latest)'}
      </h2>
      <div class="reader-choices">
        <Choice label="Revision" value={revisionId} options={namesOf(view.revisions)} onChange={onChoose} />
        {isDiff && (
          <Choice
            label="Against"
            value={base}
            options={[['', 'its parent'], ...namesOf(others)]}
            onChange={(value) => {
              against.value = value;
            }}
          />
        )}
        <fieldset class="ways">
          <legend>Show it as</legend>
          {WAYS.map(([name, title]) => (
            <button
              key={name}
              type="button"
              aria-pressed={way.value === name}
              onClick={() => {
                way.value = name;
              }}
            >
              {title}
            </button>
          ))}
        </fieldset>
      </div>
      {chosen && (
        <p class="muted">
          {roleName(chosen.author)}, <When at={chosen.created_at} />: <SafeText text={chosen.reason} />
        </p>
      )}
      {isDiff ? (
        <Difference live={live} revisionId={revisionId} against={base} isSideBySide={way.value === 'side'} />
      ) : (
        <Whole live={live} plan={plan} revisionId={revisionId} isJson={way.value === 'json'} />
      )}
    </section>
  );
}

const namesOf = (revisions: SessionView['revisions']): (readonly [string, string])[] =>
  revisions
    .toReversed()
    .map(({ revision_id, title }) => [revision_id, `${revision_id} ${visible(title ?? '')}`] as const);

interface WholeProps {
  readonly live: LiveSession;
  readonly plan: Plan;
  readonly revisionId: string;
  readonly isJson: boolean;
}

function Whole({ live, plan, revisionId, isJson }: WholeProps) {
  const isLatest = revisionId === plan.revision_id;
  const path = `/sessions/${live.sessionId}/revision?revision_id=${revisionId}`;
  const { value: earlier, error } = useRead<RevisionText>(isLatest ? null : path, 0);
  const shown = isLatest ? plan : earlier;
  const isLong = shown !== null && (isJson ? shown.contract : shown.markdown) === null;
  const long = useLongText(isLong ? path : null, isJson ? 'contract' : 'markdown');
  const failure = error ?? long.error;
  if (!shown || (isLong && long.text === null))
    return failure ? <Failure error={failure} /> : <p class="waiting">Loading…</p>;
  if (!isJson) return <LazyMarkdown text={shown.markdown ?? long.text ?? ''} />;
  const contract: unknown = shown.contract ?? JSON.parse(long.text ?? 'null');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre class="json" tabIndex={0}>
      <SafeText text={JSON.stringify(contract, null, 2)} />
    </pre>
  );
}

interface DifferenceProps {
  readonly live: LiveSession;
  readonly revisionId: string;
  readonly against: string;
  readonly isSideBySide: boolean;
}

function Difference({ live, revisionId, against, isSideBySide }: DifferenceProps) {
  const query = against === '' ? '' : `&against=${against}`;
  const path = `/sessions/${live.sessionId}/diff?revision_id=${revisionId}${query}`;
  const { value, error } = useRead<RevisionDiff>(path, 0);
  if (!value) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  return <DiffView text={value.text} isTruncated={value.truncated} isSideBySide={isSideBySide} />;
}
