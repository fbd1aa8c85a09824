import type { ComponentChildren } from 'preact';
import { type DraftPlace, dropDraft, leftDraftAt } from '../../api/drafts.ts';
import { Copyable } from '../text/copyable.tsx';

interface LeftDraftProps {
  readonly place: DraftPlace;
  /** A sentence that explains why the text was not sent. */
  readonly children: ComponentChildren;
}

/** Shows a text that the owner has typed but cannot send any more. The owner can copy or discard the text. */
export function LeftDraft({ place, children }: LeftDraftProps) {
  const text = leftDraftAt(place);
  if (text === '') return null;
  return (
    <div class="left-draft" role="status">
      <p>{children}</p>
      <Copyable label="What you had typed was not sent" text={text} />
      <button type="button" onClick={() => dropDraft(place)}>
        Discard what I typed
      </button>
    </div>
  );
}
