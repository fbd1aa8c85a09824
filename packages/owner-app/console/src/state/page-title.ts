import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { waitingCount } from './sessions.ts';

interface Shown {
  readonly text: string;
  /** Number of waiting tasks that the title shows. If undefined, the title shows their number in all sessions. */
  readonly count: number | undefined;
}

const shown = signal<Shown | null>(null);

/**
 * Sets the title of the browser tab while the calling component is on the page: the number of waiting tasks, then
 * `text`.
 *
 * @param text null while the text is not known
 */
export function usePageTitle(text: string | null, count?: number): void {
  useEffect(() => {
    if (text === null) return undefined;
    const mine = { text, count };
    shown.value = mine;
    return () => {
      if (shown.peek() === mine) shown.value = null;
    };
  }, [text, count]);
}

effect(() => {
  const { text = 'Parley', count = waitingCount.value } = shown.value ?? {};
  document.title = count > 0 ? `(${count}) ${text}` : text;
});
