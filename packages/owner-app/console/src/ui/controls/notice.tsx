import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { announced, dismiss } from '../../state/announced.ts';

/** Milliseconds for which a confirmation is shown. */
const SHOWN_MS = 12_000;
/** Milliseconds between two tries to remove a confirmation, which stays while the pointer or the focus is on it. */
const AGAIN_MS = 2_000;

/**
 * The confirmation of the last action, below the page. The element for the text is always on the page, because screen
 * readers announce only changes of an element that they know.
 */
export function Notice() {
  const place = useRef<HTMLDivElement>(null);
  const wasShown = useRef(false);
  const notice = announced.value;
  useEffect(() => {
    if (!notice) return undefined;
    const end = (): void => {
      if (place.current?.matches(':hover, :focus-within')) timer = setTimeout(end, AGAIN_MS);
      else dismiss();
    };
    let timer = setTimeout(end, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  useLayoutEffect(() => {
    const isNews = !wasShown.current;
    wasShown.current = notice !== null;
    if (notice && place.current) return makeRoom(place.current.offsetHeight, isNews);
    return undefined;
  }, [notice]);
  return (
    <div class={notice ? 'notice' : 'notice none'} ref={place}>
      <p role="status">{notice && visible(notice.text)}</p>
      {notice && (
        <button type="button" class="quiet" aria-label="Dismiss" onClick={leave}>
          ✕
        </button>
      )}
    </div>
  );
}

/**
 * Adds the height of the confirmation to the page, and scrolls by it, so that the confirmation covers nothing that was
 * visible.
 *
 * @param isNews false if the confirmation replaces another one, for which the page was scrolled already
 * @returns a function that removes the added height
 */
function makeRoom(height: number, isNews: boolean): () => void {
  const { style } = document.documentElement;
  style.setProperty('--notice', `${height}px`);
  if (isNews) scrollBy(0, height);
  return () => style.removeProperty('--notice');
}

/** Dismisses the confirmation. Its button is removed, so the focus moves to the page. */
function leave(): void {
  dismiss();
  document.getElementById('main')?.focus({ preventScroll: true });
}
