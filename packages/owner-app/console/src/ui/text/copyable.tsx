import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';

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
