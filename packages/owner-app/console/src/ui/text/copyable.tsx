import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { type DraftPlace, dropDraft, leftDraftAt } from '../../api/drafts.ts';

const COPYING = { untouched: 'Copy', copied: 'Copied', marked: 'Press Ctrl+C' } as const;

/** A text with a button that copies it. If the page has no clipboard, the button selects the text. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const state = useSignal<keyof typeof COPYING>('untouched');
  const place = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = 'copied';
    } catch {
      // Without https, a page has a clipboard only on localhost. Selects the text if there is no clipboard.
      if (place.current) getSelection()?.selectAllChildren(place.current);
      state.value = 'marked';
    }
  };
  return (
    <div class="copyable">
      <span class="label">{label}</span>
      <code ref={place}>{visible(text)}</code>
      <button type="button" onClick={() => void copy()} aria-label={`${COPYING[state.value]}: ${label}`}>
        {COPYING[state.value]}
      </button>
    </div>
  );
}

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
