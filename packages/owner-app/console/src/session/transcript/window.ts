import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const MARGIN_PX = 12;

/** Keeps `--rest`, the height from the element's top to the end of the window, on the element. */
export function useRestOfWindow(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const fit = (): void => {
      const top = current.getBoundingClientRect().top + scrollY;
      current.style.setProperty('--rest', `${Math.floor(innerHeight - top - MARGIN_PX)}px`);
    };
    // Within the observer's own round it would change what is being observed.
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
