import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const MARGIN_PX = 12;

/** Sets `--rest` on the element: the height from its top to the bottom of the window. */
export function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const fit = (): void => {
      const top = current.getBoundingClientRect().top + scrollY;
      current.style.setProperty('--rest', `${Math.floor(innerHeight - top - MARGIN_PX)}px`);
    };
    // Waits for the next frame: inside the observer's callback the change would alter the size that it observes.
    const observer = new ResizeObserver(() => requestAnimationFrame(fit));
    fit();
    observer.observe(document.body);
    addEventListener('resize', fit);
    return () => {
      observer.disconnect();
      removeEventListener('resize', fit);
    };
  }, []);
}
