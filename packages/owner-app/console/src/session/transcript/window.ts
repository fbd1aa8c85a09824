import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const MARGIN_PX = 12;

/** Sets the CSS variable `--rest` on an element: the height from its top to the bottom of the window. */
export function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const fit = (): void => {
      const top = current.getBoundingClientRect().top + scrollY;
      current.style.setProperty('--rest', `${Math.floor(innerHeight - top - MARGIN_PX)}px`);
    };
    // The height is changed in the next frame. A change inside the observer's callback would trigger the observer again.
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
