import { readingText } from '../../../../src/text/records/read-sections.ts';
import type { BriefAnswer } from '../../api/types.ts';
import { go, toSession } from '../../state/route.ts';
import { goToElement } from '../../ui/controls/go-to-element.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { type Section, sectionOfMember } from './contract-model.ts';
import type { ReadMarks } from './use-read-marks.ts';

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
  const follow = (id: string, address: string): void => {
    // Waits for the next frame: a dialog closes when a link in it is followed, and the focus returns to the element that
    // had the focus before the dialog was opened.
    requestAnimationFrame(() => {
      if (!goToElement(`section-${id}`)) go(address);
    });
  };
  return (
    <>
      {sections.map(({ id, title }, index) => {
        const address = `${toSession(sessionId, 'contract')}?show=read#section-${id}`;
        return (
          <span key={id}>
            {index > 0 && ', '}
            <a
              href={address}
              onClick={(event) => {
                if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                follow(id, address);
              }}
            >
              {title}
            </a>
          </span>
        );
      })}
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
    <div class="section-end">
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
