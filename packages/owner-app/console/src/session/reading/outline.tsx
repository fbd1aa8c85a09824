import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { useCurrentSection } from './scroll/current-section.ts';

/** An entry of the outline: a section of the page, and the parts in it. */
export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  /** A note after the title of the entry, such as `2 open`. */
  readonly note?: string | undefined;
  /** Whether the owner has read the section. Undefined if this is not known. */
  readonly isRead?: boolean | undefined;
  readonly parts: readonly { readonly id: string; readonly title: string }[];
}

interface OutlineProps {
  readonly entries: readonly OutlineEntry[];
  readonly goTo: (id: string) => void;
}

/**
 * The outline of the contract. It stays visible while the text is scrolled. In a narrow window, it is a bar that shows
 * the current section and opens on a click.
 */
export function Outline({ entries, goTo }: OutlineProps) {
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
    <nav class="outline" ref={place} aria-label="Outline of the contract">
      <button
        type="button"
        class="outline-bar"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span aria-hidden="true">☰</span> {`Outline: ${title}`}
      </button>
      <ol class={isOpen.value ? 'open' : undefined}>
        {entries.map(({ id, title: name, note, isRead, parts }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} onClick={follow(id)}>
              {name} {note && <span class="muted">{note}</span>}
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
