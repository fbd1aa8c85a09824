import type { SectionId } from '../contract-model.ts';

const TICK_MS = 500;
/**
 * The speed of a fast reader, in characters per second. A section of 2,000 characters counts as read after 20 seconds.
 */
const CHARS_PER_SECOND = 100;
const MAX_SECONDS = 20;

/** A section on the page, and how long it has been visible. */
interface Seen {
  readonly element: Element;
  readonly end: Element;
  readonly neededSeconds: number;
  isOnScreen: boolean;
  hasShownEnd: boolean;
  seconds: number;
}

/**
 * Watches which sections of the page are read. A section counts as read when its end was visible and it was on the
 * screen for its reading time, at most 20 seconds. Sections that are added to the page later are watched too.
 *
 * @param onRead called once for each section
 * @returns a function that stops watching
 */
export function watchSections(ids: readonly SectionId[], onRead: (id: SectionId) => void): () => void {
  const unread = new Set(ids);
  const watched = new Map<SectionId, Seen>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      for (const seen of watched.values()) {
        if (seen.element === target) seen.isOnScreen = isIntersecting;
        if (seen.end === target && isIntersecting) seen.hasShownEnd = true;
      }
  });
  const watch = (id: SectionId): void => {
    const element = document.getElementById(`section-${id}`);
    const end = element?.querySelector('.section-end');
    if (!element || !end) return;
    const neededSeconds = Math.min(MAX_SECONDS, (element.textContent?.length ?? 0) / CHARS_PER_SECOND);
    watched.set(id, { element, end, neededSeconds, isOnScreen: false, hasShownEnd: false, seconds: 0 });
    observer.observe(element);
    observer.observe(end);
  };
  const tick = (): void => {
    if (document.visibilityState !== 'visible') return;
    for (const id of unread) {
      const seen = watched.get(id);
      // The page has replaced the elements of the section, because the user has switched between the changes and the
      // whole contract.
      if (!seen?.end.isConnected) {
        watch(id);
        continue;
      }
      if (seen.isOnScreen) seen.seconds += TICK_MS / 1_000;
      if (!seen.hasShownEnd || seen.seconds < seen.neededSeconds) continue;
      unread.delete(id);
      onRead(id);
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return () => {
    clearInterval(timer);
    observer.disconnect();
  };
}
