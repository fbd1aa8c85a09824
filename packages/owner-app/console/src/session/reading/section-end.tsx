import { WriteButton } from '../../ui/controls/write-button.tsx';
import type { Section } from './contract-model.ts';
import type { ReadMarks } from './use-read-marks.ts';

interface SectionEndProps {
  readonly section: Section;
  readonly marks: ReadMarks;
}

/** Shows at the end of a section whether the owner has read it, with a button that marks it as read. */
export function SectionEnd({ section, marks }: SectionEndProps) {
  const isRead = marks.isRead(section);
  return (
    <div class="section-end">
      {isRead === true && <span class="accepted">✓ read</span>}
      {isRead === false && (
        <WriteButton class="quiet" disabled={marks.isSaving(section)} onClick={() => marks.mark(section)}>
          Mark “{section.title}” read
        </WriteButton>
      )}
    </div>
  );
}
