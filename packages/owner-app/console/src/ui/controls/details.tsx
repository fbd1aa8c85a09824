import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface UnfoldedProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Whether it is unfolded at first. */
  readonly isOpen?: boolean;
  /** Makes the content. Called only while it is unfolded. */
  readonly children: () => ComponentChildren;
}

/** A part of the page that is made, and reads what it shows, when the reader unfolds it. */
export function Unfolded({ summary, class: name, isOpen: isOpenAtFirst = false, children }: UnfoldedProps) {
  const isOpen = useSignal(isOpenAtFirst);
  return (
    <details
      class={name}
      open={isOpenAtFirst}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  );
}
