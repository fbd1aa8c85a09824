import { useEffect, useState } from 'preact/hooks';

/** A section becomes the current section when its top is at most this many pixels below the top of the window. */
const LINE_PX = 140;

/**
 * Returns the id of the section that is being read: the section whose field has the focus, if that field is on the screen;
 * else, at the end of the page, the last section that begins on the screen; else the last section whose top is at or above
 * `LINE_PX`; the first section if there is none.
 */
export function useCurrentSection(ids: readonly string[]): string {
  const [current, setCurrent] = useState(ids[0] ?? '');
  const key = ids.join(' ');
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const above = key.split(' ').filter((id) => {
        const element = document.getElementById(id);
        return element !== null && element.getBoundingClientRect().top <= LINE_PX;
      });
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      setCurrent(withField(key.split(' ')) ?? (isAtEnd ? lastOnScreen(key.split(' ')) : above.at(-1)) ?? ids[0] ?? '');
    };
    const onChange = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', onChange, { passive: true });
    addEventListener('focusin', onChange);
    addEventListener('focusout', onChange);
    addEventListener('resize', onChange);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', onChange);
      removeEventListener('focusin', onChange);
      removeEventListener('focusout', onChange);
      removeEventListener('resize', onChange);
    };
  }, [key]);
  return current;
}

/**
 * Returns the last of these elements that begins inside the window. Used at the end of the page, because the last
 * sections cannot be scrolled up to `LINE_PX`.
 */
const lastOnScreen = (ids: readonly string[]): string | undefined =>
  ids.findLast(
    (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < innerHeight,
  );

/** Returns the section with the field that has the focus. Undefined if no field has it, or if the field is off screen. */
function withField(ids: readonly string[]): string | undefined {
  const field = document.activeElement;
  if (!field?.matches('textarea, input, select')) return undefined;
  const { top, bottom } = field.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) return undefined;
  return ids.find((id) => document.getElementById(id)?.contains(field));
}
