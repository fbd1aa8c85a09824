import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface FilterFoldProps {
  /** The accessible name of the filter. */
  readonly label: string;
  readonly class?: string;
  /** The text of the button that unfolds the filter. */
  readonly title: string;
  /** Number of members of the filter that are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** The fields of a filter. On a narrow page they are hidden until the user presses a button. */
export function FilterFold({ label, class: name = '', title, count, children }: FilterFoldProps) {
  const isOpen = useSignal(false);
  return (
    <search class={`table-filter ${name} ${isOpen.value ? 'unfolded' : ''}`} aria-label={label}>
      <button
        type="button"
        class="filter-button"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {count === 0 ? title : `${title} (${count} set)`}
      </button>
      {children}
    </search>
  );
}
