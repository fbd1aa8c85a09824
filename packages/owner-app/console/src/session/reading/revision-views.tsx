import { plural } from '@parley/core/text';
import { useEffect, useMemo } from 'preact/hooks';
import { changeHead, inlineValues, isJson, newsOfParts, RECORD_PATH } from '../../../../src/text/contract-reading.ts';
import type { Json } from '../../../../src/text/read-as.ts';
import { createIdIndex } from '../../../../src/transcript/message.ts';
import type { ApiError, Changes, Plan, SessionView } from '../../api/answers.ts';
import { callOn } from '../../api/client.ts';
import type { LiveSession, SessionProps } from '../../state/live-session.ts';
import { toMessage } from '../../state/route.ts';
import { Pending, useCall, useRead } from '../../ui/requests.tsx';
import { IdLink, Link, LinkedText } from '../../ui/text/linked-text.tsx';
import { TextBox } from '../../ui/text/markdown.tsx';
import { MarkedChange } from '../../ui/text/marks.tsx';
import { Badge, LeftOut, SafeText } from '../../ui/text/shown.tsx';
import { WordDiff } from '../../ui/text/word-diff.tsx';
import { shownParts } from '../shown-parts.ts';
import {
  contractOf,
  newsOfSections,
  nextUnread,
  requirementParts,
  type Section,
  sectionOfMember,
  sectionsOf,
} from './contract-model.ts';
import { PartBody } from './part-body.tsx';
import {
  NewsOfParts,
  Requests,
  SectionBody,
  SectionEnd,
  SectionLinks,
  sectionsOfMembers,
  unchangedOf,
} from './section-body.tsx';
import type { ReadMarks } from './use-read-marks.ts';

/** Reads the contract of a revision in several pieces, because it is too long for one answer. */
async function readPieces(sessionId: string, revisionId: string): Promise<string> {
  for (let text = ''; ; ) {
    const asked = { revision_id: revisionId, part: 'contract', from: text.length } as const;
    const { piece, left_out } = await callOn(sessionId, 'revision', asked);
    text += piece?.text ?? '';
    if (!left_out || !piece?.text) return text;
  }
}

interface ReadContract {
  /** The stored contract, which may be invalid. Undefined while it is loading. */
  readonly stored: unknown;
  /** The contract as an object. Null while it is loading, and if the stored value is not a JSON object. */
  readonly contract: Json | null;
  readonly error: ApiError | null;
}

/** Reads the contract of a revision. If it is too long for one answer, reads it in several pieces. */
export function useContract(sessionId: string, plan: Plan, revisionId: string): ReadContract {
  const isLatest = revisionId === plan.revision_id;
  const asked = { session_id: sessionId, revision_id: revisionId, format: 'structured' } as const;
  const { value: earlier, error } = useCall('revision', isLatest ? null : asked, 0);
  const shown = isLatest ? plan : earlier;
  const isLong = shown !== null && shown.contract === null;
  const key = isLong ? `${sessionId} ${revisionId}` : null;
  const long = useRead(key, () => readPieces(sessionId, revisionId), 0);
  const stored = useMemo((): unknown => {
    if (shown?.contract) return shown.contract;
    return long.value === null ? undefined : JSON.parse(long.value);
  }, [shown?.contract, long.value]);
  const contract = useMemo(() => contractOf(stored), [stored]);
  return { stored, contract, error: error ?? long.error };
}

/**
 * Returns the sections of a contract. Stores their parts in `shownParts`, so that the ids of these parts, in all texts
 * about the session, become links to the parts.
 */
export function useSections(view: SessionView, contract: Json | null): readonly Section[] {
  const sections = useMemo(
    () => (contract ? sectionsOf(contract, requirementParts(view.requirements)) : []),
    [contract, view.requirements.length],
  );
  useEffect(() => {
    shownParts.value = new Map(sections.flatMap(({ parts }) => parts).map((part) => [part.id, part]));
  }, [sections]);
  return sections;
}

interface ContractTextProps extends SessionProps {
  readonly revisionId: string;
  readonly contract: Json;
  readonly sections: readonly Section[];
  readonly marks: ReadMarks;
}

/** The whole contract. Parts that are new or changed since the revision that the owner read last are marked. */
export function ContractText({ live, view, revisionId, contract, sections, marks }: ContractTextProps) {
  const asked = { session_id: live.sessionId, revision_id: revisionId };
  const { value } = useCall('changes', marks.brief?.since == null ? null : asked, 0);
  const changed = value?.sections ?? NOTHING;
  const parts = useMemo(() => newsOfParts(changed), [changed]);
  const counts = useMemo(() => newsOfSections(changed), [changed]);
  return (
    <NewsOfParts.Provider value={parts}>
      <div class="contract-text">
        {value?.left_out && (
          <p class="muted">{`Only the first ${value.sections.length} changed sections are marked.`}</p>
        )}
        {sections.map((section) => (
          <section
            key={section.id}
            id={`section-${section.id}`}
            class="contract-section"
            aria-labelledby={`head-${section.id}`}
          >
            <h3 id={`head-${section.id}`}>
              {section.title}
              <SectionNews count={counts.get(section.id) ?? 0} since={value?.since ?? ''} />
            </h3>
            <SectionBody view={view} contract={contract} section={section} />
            <SectionEnd section={section} marks={marks} next={nextUnread(sections, marks.isRead, section.id)} />
          </section>
        ))}
      </div>
    </NewsOfParts.Provider>
  );
}

const NOTHING: Changes['sections'] = [];

function SectionNews({ count, since }: { readonly count: number; readonly since: string }) {
  if (count === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="live">{`${plural(count, 'change')} since ${since}`}</Badge>
    </>
  );
}

interface ChangesViewProps {
  readonly live: LiveSession;
  readonly revisionId: string;
  /**
   * The id of the revision with which the shown revision is compared. Empty for the revision that the owner read last.
   */
  readonly since: string;
  readonly sections: readonly Section[];
  readonly marks: ReadMarks;
}

type Change = Changes['sections'][number]['records'][number]['changes'][number];
type Cause = Changes['revisions'][number]['causes'][number];

/** The changes of the contract since the owner last read it, by section and record, and why its revisions were made. */
export function ChangesView({ live, revisionId, since, sections, marks }: ChangesViewProps) {
  const asked = { session_id: live.sessionId, revision_id: revisionId, ...(since !== '' && { since }) };
  const { value, error } = useCall('changes', asked, 0);
  if (!value) return <Pending error={error} />;
  const ids = [...new Set(value.sections.map(({ section }) => sectionOfMember(section).id))];
  return (
    <div class="contract-text changes">
      {value.count === 0 && <p class="muted">{`Nothing changed since ${value.since}.`}</p>}
      <LeftOut of={value.left_out} />
      <Revisions live={live} revisions={value.revisions} shownId={revisionId} />
      <Requests sessionId={live.sessionId} requests={value.requests} />
      {ids.map((id) => (
        <ChangedSection
          key={id}
          live={live}
          id={id}
          members={value.sections.filter(({ section }) => sectionOfMember(section).id === id)}
          section={sections.find((section) => section.id === id)}
          marks={marks}
        />
      ))}
      <UnreadBefore live={live} since={value.since} marks={marks} />
    </div>
  );
}

/** Links to the unread sections that have not changed since the earlier revision that the owner read last. */
function UnreadBefore({
  live,
  since,
  marks: { brief, unread },
}: Pick<ChangesViewProps, 'live' | 'marks'> & Pick<Changes, 'since'>) {
  const old = brief && brief.since === since ? unchangedOf(sectionsOfMembers(unread), brief.changes) : [];
  if (old.length === 0) return null;
  return (
    <p>
      {`Unchanged, but not read in ${since} either: `}
      <SectionLinks sessionId={live.sessionId} sections={old} />
    </p>
  );
}

interface RevisionsProps {
  readonly live: LiveSession;
  readonly revisions: Changes['revisions'];
  /** The revision that the page shows, with its author's words above. They are not repeated here. */
  readonly shownId: string;
}

/** The revisions that have causes, each with its causes and the words of its author. */
function Revisions({ live, revisions, shownId }: RevisionsProps) {
  return revisions.flatMap(({ revision_id, reason, causes }) => {
    if (causes.length === 0) return [];
    return [
      <p key={revision_id}>
        <IdLink id={revision_id} /> <span class="muted">because of</span>{' '}
        {causes.map((cause, index) => [index > 0 && ', ', <CauseLink key={cause.id} live={live} cause={cause} />])}
        {revision_id !== shownId && (
          <>
            : <SafeText text={reason} />
          </>
        )}
      </p>,
    ];
  });
}

interface ChangedSectionProps {
  readonly live: LiveSession;
  readonly id: string;
  /** The changed members of the contract that belong to the section. */
  readonly members: Changes['sections'];
  /** The section in this revision. Undefined if this revision does not have it. */
  readonly section: Section | undefined;
  readonly marks: ReadMarks;
}

function ChangedSection({ live, id, members, section, marks }: ChangedSectionProps) {
  return (
    <section class="contract-section" id={`section-${id}`} aria-labelledby={`head-${id}`}>
      <h3 id={`head-${id}`}>
        {sectionOfMember(members[0]?.section ?? '').title}{' '}
        <span class="muted">{members.reduce((sum, { count }) => sum + count, 0)}</span>
      </h3>
      {members.flatMap(({ section: member, records }) =>
        records.map(({ record, changes }) => (
          <div class="part" key={`${member} ${record}`}>
            {record !== null && (
              <h4>
                <IdLink id={record} />
              </h4>
            )}
            {changes.map((change) => (
              <ChangeItem key={`${change.kind} ${change.path}`} live={live} record={record} change={change} />
            ))}
          </div>
        )),
      )}
      {section && <SectionEnd section={section} marks={marks} />}
    </section>
  );
}

const KINDS = { ADDED: ['added', 'good'], REMOVED: ['removed', 'bad'], CHANGED: ['changed', 'live'] } as const;

interface ChangeItemProps {
  readonly live: LiveSession;
  /** Id of the changed record. Null if the change is not inside a record. */
  readonly record: string | null;
  readonly change: Change;
}

function ChangeItem({ live, record, change }: ChangeItemProps) {
  const { kind, words, revisions } = change;
  const [word, tone] = KINDS[kind];
  const [head, inline] = [changeHead(change, { isKindShown: true }), valuesInLine(change)];
  return (
    <div class="change quote">
      <p>
        <Badge tone={tone}>{word}</Badge> <LinkedText text={inline ? `${head}: ${inline}` : head} />
      </p>
      {words !== undefined && <MarkedChange words={words} />}
      {inline === undefined && <Values change={change} view={live.view.value} record={record} />}
      <p class="muted">in {revisions.map((id, index) => [index > 0 && ', ', <IdLink key={id} id={id} />])}</p>
    </div>
  );
}

interface ValuesProps {
  readonly view: SessionView | null;
  readonly record: string | null;
  readonly change: Change;
}

/**
 * The values of a change for its first line, if they are short JSON or single words. Undefined if the values are to be
 * shown below that line.
 */
function valuesInLine(change: Change): string | undefined {
  const { before, after } = change;
  const isWords = !isJson(before ?? after) && /\s/.test(`${before ?? ''}${after ?? ''}`);
  return isWords ? undefined : inlineValues(change);
}

/**
 * Shows the value before and after a change. An added record is shown as in the contract, other JSON in boxes that can
 * be unfolded, and a text with its changed words marked.
 */
function Values({ view, record, change: { kind, path, before, after } }: ValuesProps) {
  if (before === null && after === null) return null;
  const part = shownParts.value.get(record ?? '');
  if (kind === 'ADDED' && RECORD_PATH.test(path) && part && view) return <PartBody view={view} part={part} />;
  if (isJson(before) || isJson(after))
    return (
      <>
        <Unfolding label="What it was" text={before} />
        <Unfolding label="What it is now" text={after} />
      </>
    );
  return <WordDiff before={before ?? ''} after={after ?? ''} />;
}

function Unfolding({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <details>
      <summary>{label}</summary>
      <TextBox text={text} />
    </details>
  );
}

/**
 * A link to the cause of a revision, with its topic or the first words of its text. For a request for changes, the id is
 * the number of the owner's message.
 */
function CauseLink({ live, cause: { type, id } }: { readonly live: LiveSession; readonly cause: Cause }) {
  const view = live.view.value;
  const index = useMemo(() => createIdIndex(view ?? undefined), [view]);
  if (type === 'change_request') return <Link to={toMessage(live.sessionId, Number(id))}>your request #{id}</Link>;
  const named = type === 'decision' ? index.decision(id) : index.named(id);
  return (
    <>
      <IdLink id={id} />
      <SafeText text={named.slice(id.length)} />
    </>
  );
}
