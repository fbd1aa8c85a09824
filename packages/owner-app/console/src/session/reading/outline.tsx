import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { useCurrentSection } from './scroll.ts';
import '../../styles/outline.css';

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
      <button
        type="button"
        class="outline-bar"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
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
