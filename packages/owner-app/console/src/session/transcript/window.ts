import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const MARGIN_PX = 12;

/**
 * Sets the CSS variable `--rest` of an element, so that the element can fill the rest of the window. `--rest` is the
 * height from the top of the element to the bottom of the window, less `MARGIN_PX`.
 */
export function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const fit = (): void => {
      const top = Math.max(0, current.getBoundingClientRect().top);
      current.style.setProperty('--rest', `${Math.floor(innerHeight - top - MARGIN_PX)}px`);
    };
    // Changes the height in the next frame. A change inside the callback would trigger the observer again.
    const observer = new ResizeObserver(() => requestAnimationFrame(fit));
    fit();
    observer.observe(document.body);
    addEventListener('resize', fit);
    addEventListener('scroll', fit, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('resize', fit);
      removeEventListener('scroll', fit);
    };
  }, []);
}
