import { goToElement } from '../../ui/controls/go-to-element.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import type { Section } from './contract-model.ts';
import type { ReadMarks } from './use-read-marks.ts';

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
