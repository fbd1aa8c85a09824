import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { recordPath } from '../../../../src/text/record-address.ts';
import { shortened } from '../../../../src/text/records/first-words.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Plan, SessionView } from '../../api/types.ts';
import type { LiveSession, SessionProps } from '../../state/live-session.ts';
import { markedWords, withMarks } from '../../state/marked-words.ts';
import { Choice } from '../../ui/controls/field.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useCall } from '../../ui/requests/use-read.ts';
import { Link } from '../../ui/text/link.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Role, When } from '../../ui/text/shown.tsx';
import { nameIn } from '../interventions/names.ts';
import { ChangesView } from '../reading/changes-view.tsx';
import type { Section } from '../reading/contract-model.ts';
import { ContractText } from '../reading/contract-text.tsx';
import { ReadSoFar } from '../reading/read-so-far.tsx';
import type { useContract } from '../reading/use-contract.ts';
import type { ReadMarks } from '../reading/use-read-marks.ts';
import { Json } from '../reading/values.tsx';
import { DiffView } from './diff-view.tsx';

const WAYS = [
  ['changes', 'Changes'],
  ['read', 'Whole contract'],
  ['side', 'Side by side'],
  ['text', 'Text diff'],
  ['json', 'JSON'],
] as const;
export type Way = (typeof WAYS)[number][0];

export const isWay = (text: string | null): text is Way => WAYS.some(([name]) => name === text);

/** The id of the HTML element of `RevisionReader`. */
export const READER = 'changes';

interface RevisionReaderProps extends SessionProps {
  readonly plan: Plan;
  readonly revisionId: string;
  /** The id of the revision to compare with, from the address of the page. Null if the address contains none. */
  readonly against: string | null;
  readonly read: ReturnType<typeof useContract>;
  readonly sections: readonly Section[];
  readonly marks: ReadMarks;
  /** The view that the user has chosen, such as a diff. Null while the default is used. */
  readonly way: Way | null;
  readonly onWay: (way: Way) => void;
  readonly onChoose: (revisionId: string) => void;
}

/** Shows a revision: its whole text, its changes, or a diff. */
export function RevisionReader(props: RevisionReaderProps) {
  const { view, plan, revisionId, onChoose } = props;
  // By default, the changes are shown if the owner has read an earlier revision but not all of this revision.
  // This view stays after the last changed section was read.
  const changes = useRef<{ readonly of: string; readonly since: string | null } | null>(null);
  const { hasChanges, brief } = props.marks;
  if (hasChanges && changes.current?.of !== revisionId)
    changes.current = { of: revisionId, since: brief?.since ?? null };
  const first = changes.current?.of === revisionId ? changes.current : null;
  const way = props.way ?? (first ? 'changes' : 'read');
  const against = useSignal(props.against ?? '');
  const others = view.revisions.filter(({ revision_id }) => revision_id !== revisionId);
  const base = others.some(({ revision_id }) => revision_id === against.value) ? against.value : '';
  const isDiff = way === 'side' || way === 'text' || way === 'changes';
  return (
    <section id={READER} class="card revision-reader" aria-labelledby="reader-head">
      <h2 id="reader-head">
        {revisionId}
        {plan.revision_id !== null && revisionId !== plan.revision_id && (
          <>
            {' '}
            (not the latest:{' '}
            <Link to={withMarks(`${recordPath(view.session_id, plan.revision_id)}?show=read`, markedWords.value)}>
              {plan.revision_id}
            </Link>
            )
          </>
        )}
      </h2>
      <div class="reader-choices">
        <Choice label="Revision" value={revisionId} options={namesOf(view.revisions)} onChange={onChoose} />
        {isDiff && (
          <Choice
            label="Compared with"
            value={base}
            options={[
              ['', way === 'changes' ? 'the revision that you read last' : 'the parent revision'],
              ...namesOf(others),
            ]}
            onChange={(value) => {
              against.value = value;
            }}
          />
        )}
        <fieldset class="ways">
          <legend>Show as</legend>
          {WAYS.map(([name, title]) => (
            <button key={name} type="button" aria-pressed={way === name} onClick={() => props.onWay(name)}>
              {name === 'changes' ? changesTitle(base || (first?.since ?? brief?.since ?? null)) : title}
            </button>
          ))}
        </fieldset>
      </div>
      <RevisionOrigin view={view} revisionId={revisionId} />
      {props.marks.brief && (
        <p>
          <ReadSoFar sessionId={view.session_id} brief={props.marks.brief} unread={props.marks.unread} />
        </p>
      )}
      {props.way === null && !props.marks.isKnown ? (
        <p class="waiting">Loading…</p>
      ) : (
        <Shown {...props} way={way} base={base} />
      )}
    </section>
  );
}

const changesTitle = (since: string | null): string => (since ? `Changes since ${since}` : 'Changes');

interface ShownProps extends Omit<RevisionReaderProps, 'way'> {
  readonly way: Way;
  /** The id of the revision with which the shown revision is compared. If empty, the service chooses the revision. */
  readonly base: string;
}

function Shown(props: ShownProps) {
  const { live, revisionId, sections, marks, way, base } = props;
  switch (way) {
    case 'changes':
      return <ChangesView live={live} revisionId={revisionId} since={base} sections={sections} marks={marks} />;
    case 'side':
    case 'text':
      return <Difference live={live} revisionId={revisionId} against={base} isSideBySide={way === 'side'} />;
    default:
      return <Whole {...props} isJson={way === 'json'} />;
  }
}

/** Who submitted the revision, when, and for what reason. */
function RevisionOrigin({ view, revisionId }: { readonly view: SessionView; readonly revisionId: string }) {
  const chosen = view.revisions.find(({ revision_id }) => revision_id === revisionId);
  if (!chosen) return null;
  return (
    <p class="muted">
      <Role of={chosen.author} name={nameIn(view, chosen.author)} />, <When at={chosen.created_at} />:{' '}
      <LinkedText text={chosen.reason} />
    </p>
  );
}

const namesOf = (revisions: SessionView['revisions']): (readonly [string, string])[] =>
  revisions
    .toReversed()
    .map(({ revision_id, reason }) => [revision_id, shortened(`${revision_id} ${visible(reason)}`, 80)] as const);

function Whole({ live, view, revisionId, read, sections, marks, isJson }: ShownProps & { readonly isJson: boolean }) {
  const { stored, contract, error } = read;
  if (stored === undefined) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  if (isJson || !contract) return <Json value={stored} />;
  return (
    <ContractText
      live={live}
      view={view}
      revisionId={revisionId}
      contract={contract}
      sections={sections}
      marks={marks}
    />
  );
}

interface DifferenceProps {
  readonly live: LiveSession;
  readonly revisionId: string;
  readonly against: string;
  readonly isSideBySide: boolean;
}

function Difference({ live, revisionId, against, isSideBySide }: DifferenceProps) {
  const asked = { session_id: live.sessionId, revision_id: revisionId, ...(against !== '' && { against }) };
  const { value, error } = useCall('diff', asked, 0);
  if (!value) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  return <DiffView text={value.text} isTruncated={value.truncated} isSideBySide={isSideBySide} />;
}
