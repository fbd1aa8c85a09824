import '../../styles/outline.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { toggling } from '../../state/setting.ts';
import type { SectionId } from './contract-model.ts';

/** A section becomes the current section when its top is at most this many pixels below the top of the window. */
const LINE_PX = 140;

/**
 * Returns the id of the section that is being read: the section whose field has the focus, if that field is on the screen;
 * else, at the end of the page, the last section that begins on the screen; else the last section whose top is at or above
 * `LINE_PX`; the first section if there is none.
 */
function useCurrentSection(ids: readonly string[]): string {
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
    const leaving = new AbortController();
    for (const type of ['scroll', 'focusin', 'focusout', 'resize'])
      addEventListener(type, onChange, { passive: true, signal: leaving.signal });
    return () => {
      cancelAnimationFrame(frame);
      leaving.abort();
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

/** An entry of the outline: a section of the page, and the parts in it. */
export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  /** A mark before the title of the entry. */
  readonly mark?: ComponentChildren;
  /** A note after the title of the entry, such as `2 open`. */
  readonly note?: ComponentChildren;
  /** Whether the owner has read the section. Undefined if this is not known. */
  readonly isRead?: boolean | undefined;
  readonly parts: readonly { readonly id: string; readonly title: string }[];
}

interface OutlineProps {
  /** The name of the outline, such as `Outline of the contract`. */
  readonly label: string;
  /** The text above the entries, which the bar shows too. If undefined, the bar shows the title of the current entry. */
  readonly heading?: string;
  readonly entries: readonly OutlineEntry[];
  readonly goTo: (id: string) => void;
}

/**
 * The outline of a page. It stays visible while the page is scrolled. In a narrow window, it is a bar that shows the
 * current section or the heading, and opens on a click.
 */
export function Outline({ label, heading, entries, goTo }: OutlineProps) {
  const isOpen = useSignal(false);
  const current = useCurrentSection(entries.map(({ id }) => id));
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scrolls only the outline. `scrollIntoView` would scroll the page too.
    const { current: nav } = place;
    const link = nav?.querySelector<HTMLElement>('[aria-current]');
    if (nav && link) nav.scrollTop = Math.max(0, link.offsetTop - nav.clientHeight / 3);
  }, [current]);
  const title = entries.find(({ id }) => id === current)?.title ?? '';
  const follow = (id: string) => (event: MouseEvent) => {
    event.preventDefault();
    isOpen.value = false;
    goTo(id);
  };
  return (
    <nav class="outline" ref={place} aria-label={label}>
      <button type="button" class="outline-bar" aria-expanded={isOpen.value} onClick={toggling(isOpen)}>
        <span aria-hidden="true">☰</span> {heading ?? `Outline: ${title}`}
      </button>
      {heading && <p class="outline-heading">{heading}</p>}
      <ol class={isOpen.value ? 'open' : undefined}>
        {entries.map(({ id, title: name, mark, note, isRead, parts }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} onClick={follow(id)}>
              {mark} {name} {note && <span class="muted">{note}</span>}
              {isRead === true && <span class="accepted"> ✓</span>}
              {isRead === true && <span class="unseen"> read</span>}
            </a>
            {id === current && parts.length > 0 && (
              <ol>
                {parts.map((part) => (
                  <li key={part.id}>
                    <a href={`#part-${part.id}`} title={visible(part.title)} onClick={follow(`part-${part.id}`)}>
                      {visible(part.id)}
                    </a>
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
