import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type News, readingText } from '../../../../src/text/contract-reading.ts';
import { type Json, readAs } from '../../../../src/text/read-as.ts';
import type { BriefAnswer, SessionView } from '../../api/answers.ts';
import { go, toMessage, toSession } from '../../state/route.ts';
import { Unfolded } from '../../ui/card.tsx';
import { goToElement } from '../../ui/controls/browser.ts';
import { WriteButton } from '../../ui/controls/buttons.tsx';
import { Graph } from '../../ui/graph/graph.tsx';
import { IdLink, Link, LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown, TextBox } from '../../ui/text/markdown.tsx';
import { Folded } from '../../ui/text/marks.tsx';
import { Badge, SafeText } from '../../ui/text/shown.tsx';
import { DECISION_TONES } from '../record-text.tsx';
import type { ContractPart } from '../shown-parts.ts';
import { type Section, sectionOfMember } from './contract-model.ts';
import { Dependencies, PartBody } from './part-body.tsx';
import type { ReadMarks } from './use-read-marks.ts';
import { Leftover, Texts, Value } from './values.tsx';

interface PartProps {
  readonly view: SessionView;
  readonly part: ContractPart;
}

/** The kinds of parts whose title is shown in the heading. Other parts show their title in the body. */
const TITLED = new Set(['interface', 'data model', 'task', 'test', 'gate', 'risk', 'safety condition']);

/** The parts that are new or changed since the revision that the owner read last, by their ids. */
export const NewsOfParts = createContext<ReadonlyMap<string, News>>(new Map());

function Part({ view, part }: PartProps) {
  const news = useContext(NewsOfParts).get(part.id);
  return (
    <div class="part" id={`part-${part.id}`}>
      <h4>
        <IdLink id={part.id} /> {TITLED.has(part.kind) && <LinkedText text={part.title} />}{' '}
        {news && <Badge tone={news === 'new' ? 'good' : 'live'}>{news}</Badge>}
      </h4>
      <PartBody view={view} part={part} />
    </div>
  );
}

const AUDIENCES: Readonly<Record<string, string>> = {
  agent_a: 'for Agent A',
  agent_b: 'for Agent B',
  both: 'for both agents',
};

const FORMS = { filename: 'text', media_type: 'text', audience: 'text', content: 'text' } as const;

/** The files that the contract contains in full. They can be read before the approval freezes them. */
function Artifacts({ artifacts }: { readonly artifacts: readonly Json[] }) {
  return (
    <>
      {artifacts.length === 0 && <p class="muted">None, except the documents that the approval generates.</p>}
      {artifacts.map((artifact, index) => (
        <Artifact key={`${index} ${readAs(artifact, FORMS).filename}`} artifact={artifact} />
      ))}
    </>
  );
}

function Artifact({ artifact }: { readonly artifact: Json }) {
  const { filename, media_type, audience, content } = readAs(artifact, FORMS);
  const receiver = Object.hasOwn(AUDIENCES, audience) ? AUDIENCES[audience] : audience;
  const summary = (
    <>
      <SafeText in="code" text={filename} />{' '}
      <SafeText text={`${media_type}, ${content.length} characters, ${receiver}`} />
    </>
  );
  return (
    <Unfolded class="part" summary={summary}>
      {() => (
        <>
          {media_type === 'text/markdown' ? <Markdown text={content} /> : <TextBox text={content} />}
          <Leftover value={artifact} forms={FORMS} />
        </>
      )}
    </Unfolded>
  );
}

/** If a decision's position has more characters than this, it is folded. */
const LONG_CHARS = 700;

function NamedDecision({ view, id }: { readonly view: SessionView; readonly id: string }) {
  const decision = view.decisions.find(({ decision_id }) => decision_id === id);
  const position = decision?.position ?? '';
  return (
    <div class="part" id={`part-${id}`}>
      <h4>
        <IdLink id={id} /> {decision && <LinkedText text={decision.topic} />}{' '}
        {decision && decision.status !== 'RESOLVED' && (
          <Badge tone={DECISION_TONES[decision.status]}>{decision.status}</Badge>
        )}
      </h4>
      {position !== '' && (
        <Folded isLong={position.length > LONG_CHARS} of={id}>
          <Markdown text={position} />
        </Folded>
      )}
    </div>
  );
}

interface SectionBodyProps {
  readonly view: SessionView;
  readonly contract: Json;
  readonly section: Section;
}

export function SectionBody({ view, contract, section }: SectionBodyProps): ComponentChildren {
  switch (section.id) {
    case 'summary':
      return <Summary contract={contract} />;
    case 'decisions':
      return readAs(contract, { decisions: 'texts' }).decisions.map((id) => (
        <NamedDecision key={id} view={view} id={id} />
      ));
    case 'rollout':
      return <Rollout rollout={readAs(contract, { rollout: 'record' }).rollout} />;
    case 'dependencies':
      return <Dependencies view={view} contract={contract} />;
    case 'artifacts':
      return <Artifacts artifacts={readAs(contract, { artifacts: 'records' }).artifacts} />;
    case 'other':
      return <Leftover value={pick(contract, section.members)} forms={{}} />;
    default:
      return (
        <>
          {section.id === 'tasks' && <TaskGraph section={section} />}
          {section.parts.map((part) => (
            <Part key={part.id} view={view} part={part} />
          ))}
        </>
      );
  }
}

const pick = (contract: Json, members: readonly string[]): Json =>
  Object.fromEntries(members.map((member) => [member, contract[member]]));

const SUMMARY = { title: 'text', summary: 'text', scope: 'record', fixture_version: 'text' } as const;
const SCOPE = { in: 'texts', out: 'texts' } as const;

function Summary({ contract }: { readonly contract: Json }) {
  const { title, summary, scope, fixture_version } = readAs(contract, SUMMARY);
  const { in: included, out: excluded } = readAs(scope, SCOPE);
  return (
    <>
      <SafeText in="h4" text={title} />
      <Markdown text={summary} />
      <Scope title="Included" texts={included} />
      <Scope title="Not included" texts={excluded} />
      <p class="muted">
        Version of the test data: <SafeText text={fixture_version} />
      </p>
      <Leftover value={scope} forms={SCOPE} />
    </>
  );
}

function Scope({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <Texts texts={texts} />
    </>
  );
}

const ROLLOUT = { steps: 'texts', rollback: 'any' } as const;

function Rollout({ rollout }: { readonly rollout: Json }) {
  return (
    <>
      <ol class="bullets texts">
        {readAs(rollout, ROLLOUT).steps.map((step, index) => (
          <li key={index}>
            <Markdown text={step} />
          </li>
        ))}
      </ol>
      {'rollback' in rollout && (
        <>
          <h4>Rollback</h4>
          <Value value={rollout.rollback} />
        </>
      )}
      <Leftover value={rollout} forms={ROLLOUT} />
    </>
  );
}

function TaskGraph({ section }: { readonly section: Section }) {
  const items = section.parts.map(({ id, title, value }) => {
    const { assignee, depends_on } = readAs(value, { assignee: 'text', depends_on: 'texts' });
    return { id, note: title, tone: assignee, dependsOn: depends_on };
  });
  return <Graph items={items} />;
}

interface RequestsProps {
  readonly sessionId: string;
  readonly requests: BriefAnswer['requests'];
}

/**
 * The owner's requests for changes. Each request is shown with the revision that names it as a cause, otherwise with the
 * first revision after it, and with the reason of that revision. Only the owner can judge whether the revision does what
 * was requested.
 */
export function Requests({ sessionId, requests }: RequestsProps) {
  if (requests.length === 0) return null;
  return (
    <section>
      <h3>Your requests for changes</h3>
      <ul class="bullets">
        {requests.map(({ message_id, returned, text, answered_by, answer, is_named }) => (
          <li key={message_id}>
            <Link to={toMessage(sessionId, message_id)}>{`#${message_id} to ${returned}`}</Link>:{' '}
            <SafeText text={text} />
            <p class="reply">
              {answered_by ? (
                <>
                  <IdLink id={answered_by} />{' '}
                  {is_named
                    ? 'names this request as its cause'
                    : 'was submitted after this request and does not name it as a cause'}
                  : <SafeText text={answer ?? ''} />
                </>
              ) : (
                'No revision was submitted after this request yet.'
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SectionLinksProps {
  readonly sessionId: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

interface ReadSoFarProps extends Pick<SectionLinksProps, 'sessionId'> {
  /** The brief of the approval. */
  readonly brief: Pick<BriefAnswer, 'since' | 'changes' | 'reading'>;
  /** Top-level members of the contract that the owner has not read. */
  readonly unread: readonly string[];
}

/**
 * How many sections of the latest revision the owner has read, with links to the unread sections. Unread sections that
 * have not changed since the earlier revision that the owner read last are listed separately.
 */
export function ReadSoFar({ sessionId, brief: { since, changes, reading }, unread }: ReadSoFarProps) {
  const sections = sectionsOfMembers(unread);
  const old = since === null ? [] : unchangedOf(sections, changes);
  const others = sections.filter((section) => !old.includes(section));
  return (
    <>
      {readingText(reading.of, reading.of - sections.length)}
      {others.length > 0 && '; not read: '}
      <SectionLinks sessionId={sessionId} sections={others} />
      {old.length > 0 && `; unchanged, but not read in ${since} either: `}
      <SectionLinks sessionId={sessionId} sections={old} />
    </>
  );
}

/** The sections that show these top-level members of the contract. */
export const sectionsOfMembers = (members: readonly string[]) => [
  ...new Map(members.map((member) => [sectionOfMember(member).id, sectionOfMember(member)])).values(),
];

/** The given sections without changes: those that `changes` does not name. */
export function unchangedOf<Section extends { readonly id: string }>(
  sections: readonly Section[],
  changes: BriefAnswer['changes'],
): Section[] {
  const changed = new Set<string>(changes.map(({ section }) => sectionOfMember(section).id));
  return sections.filter(({ id }) => !changed.has(id));
}

/** Links to sections. If this page does not show a section, its link opens the whole contract. */
export function SectionLinks({ sessionId, sections }: SectionLinksProps) {
  const follow = (id: string) => (address: string) => {
    // Waits for the next frame: a dialog closes when a link in it is followed, and the focus returns to the element that
    // had the focus before the dialog was opened.
    requestAnimationFrame(() => {
      if (!goToElement(`section-${id}`)) go(address);
    });
  };
  return (
    <>
      {sections.map(({ id, title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={`${toSession(sessionId, 'contract')}?show=read#section-${id}`} follow={follow(id)}>
            {title}
          </Link>
        </span>
      ))}
    </>
  );
}

interface SectionEndProps {
  readonly section: Section;
  readonly marks: ReadMarks;
  /** The unread section to which a button leads. */
  readonly next?: Section | undefined;
}

/** Shows at the end of a section whether the owner has read it, with buttons that mark it as read and lead on. */
export function SectionEnd({ section, marks, next }: SectionEndProps) {
  const isRead = marks.isRead(section);
  return (
    <div class="row section-end">
      {isRead === true && <span class="accepted">✓ read</span>}
      {isRead === false && (
        <WriteButton disabled={marks.isSaving(section)} onClick={() => marks.mark(section)}>
          Mark “{section.title}” read
        </WriteButton>
      )}
      {next && (
        <button type="button" onClick={() => goToElement(`section-${next.id}`)}>
          Next unread section: {next.title}
        </button>
      )}
    </div>
  );
}
