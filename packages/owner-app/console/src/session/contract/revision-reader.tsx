import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { recordPath } from '../../../../src/text/record-address.ts';
import { shortened, visible } from '../../../../src/text/visible.ts';
import type { Plan, SessionView } from '../../api/answers.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { markedWords, withMarks } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { bound, Choice } from '../../ui/controls/form.tsx';
import { Pending, useCall } from '../../ui/requests.tsx';
import { Link, LinkedText } from '../../ui/text/linked-text.tsx';
import { WideBox } from '../../ui/text/markdown.tsx';
import { Role, When } from '../../ui/text/shown.tsx';
import type { Section } from '../reading/contract-model.ts';
import { ChangesView, ContractText, type useContract } from '../reading/revision-views.tsx';
import { ReadSoFar } from '../reading/section-body.tsx';
import type { ReadMarks } from '../reading/use-read-marks.ts';
import { Json } from '../reading/values.tsx';
import { nameIn } from '../record-text.tsx';

interface DiffLine {
  readonly sign: keyof typeof KINDS;
  readonly text: string;
  /** Line number in the old text. Null if the old text does not contain the line. */
  readonly before: number | null;
  /** Line number in the new text. Null if the new text does not contain the line. */
  readonly after: number | null;
}

/** A row of the side-by-side view. A side without a line is null. */
interface DiffPair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff, without its file headers. */
function readDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let isInHunk = false;
  for (const line of text.split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      isInHunk = true;
      lines.push({ sign: '@', text: line, before: null, after: null });
    } else if (isInHunk && line !== '') {
      const read = lineOf(line, before, after);
      if (read.before !== null) before += 1;
      if (read.after !== null) after += 1;
      lines.push(read);
    }
  }
  return lines;
}

function lineOf(line: string, before: number, after: number): DiffLine {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      return { sign: '+', text, before: null, after };
    case '-':
      return { sign: '-', text, before, after: null };
    case ' ':
      return { sign: ' ', text, before, after };
    default:
      return { sign: '\\', text: line, before: null, after: null };
  }
}

/**
 * Pairs the lines for the side-by-side view. If added lines directly follow removed lines, the first removed line is
 * paired with the first added line, the second with the second, and so on.
 */
function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === '-') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.sign === '+') {
      added.push(line);
    } else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

interface DiffViewProps {
  /** A unified diff of the rendered Markdown. */
  readonly text: string;
  readonly isTruncated: boolean;
  readonly isSideBySide: boolean;
}

function DiffView({ text, isTruncated, isSideBySide }: DiffViewProps) {
  const lines = useMemo(() => readDiff(text), [text]);
  if (lines.length === 0) return <p class="muted">The text is the same.</p>;
  return (
    <>
      <WideBox class="diff">{isSideBySide ? <SideBySide lines={lines} /> : <OneColumn lines={lines} />}</WideBox>
      {isTruncated && (
        <p class="muted">The diff is cut at 60,000 characters. To see all changes, read both revisions in full.</p>
      )}
    </>
  );
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place', '\\': 'place' } as const;

const OneColumn = ({ lines }: { readonly lines: readonly DiffLine[] }) => (
  <table>
    <caption class="skip">Text diff</caption>
    <tbody>
      {lines.map((line, index) => (
        <tr key={`${index} ${line.sign}`} class={KINDS[line.sign]}>
          <td class="number">{line.before}</td>
          <td class="number">{line.after}</td>
          <td class="line">
            {line.sign === '+' || line.sign === '-' ? line.sign : ' '} {visible(line.text)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function SideBySide({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <table class="side-by-side">
      <caption class="skip">Side by side: the old text on the left, the new text on the right</caption>
      <tbody>
        {pairLines(lines).map(({ left, right }, index) => (
          <tr key={`${index} ${left?.sign}${right?.sign}`}>
            <Side line={left} number={left?.before ?? null} />
            <Side line={right} number={right?.after ?? null} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ line, number }: { readonly line: DiffLine | null; readonly number: number | null }) {
  const kind = line ? KINDS[line.sign] : 'nothing';
  return (
    <>
      <td class={`number ${kind}`}>{number}</td>
      <td class={`line ${kind}`}>{line && visible(line.text)}</td>
    </>
  );
}

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
    <Card
      id={READER}
      class="card revision-reader"
      head="reader-head"
      title={revisionId}
      note={
        plan.revision_id !== null &&
        revisionId !== plan.revision_id && (
          <>
            (not the latest:{' '}
            <Link to={withMarks(`${recordPath(view.session_id, plan.revision_id)}?show=read`, markedWords.value)}>
              {plan.revision_id}
            </Link>
            )
          </>
        )
      }
    >
      <div class="row reader-choices">
        <Choice label="Revision" value={revisionId} options={namesOf(view.revisions)} onChange={onChoose} />
        {isDiff && (
          <Choice
            label="Compared with"
            {...bound(against)}
            value={base}
            options={[
              ['', way === 'changes' ? 'the revision that you read last' : 'the parent revision'],
              ...namesOf(others),
            ]}
          />
        )}
        <fieldset class="row ways">
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
      {props.way === null && !props.marks.isKnown ? <Pending /> : <Shown {...props} way={way} base={base} />}
    </Card>
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
  if (stored === undefined) return <Pending error={error} />;
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

interface DifferenceProps extends Pick<RevisionReaderProps, 'live' | 'revisionId'> {
  readonly against: string;
  readonly isSideBySide: boolean;
}

function Difference({ live, revisionId, against, isSideBySide }: DifferenceProps) {
  const asked = { session_id: live.sessionId, revision_id: revisionId, ...(against !== '' && { against }) };
  const { value, error } = useCall('diff', asked, 0);
  if (!value) return <Pending error={error} />;
  return <DiffView text={value.text} isTruncated={value.truncated} isSideBySide={isSideBySide} />;
}
