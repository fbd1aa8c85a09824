import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface FoldedProps {
  /** True for long content, which is folded. Other content is shown in full. */
  readonly isLong: boolean;
  /** The name of the content in the label of the button, such as `d_4`. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** Shows the first lines of long content, with a button that shows the rest. */
export function Folded({ isLong, of, children }: FoldedProps) {
  const isOpen = useSignal(false);
  if (!isLong) return <>{children}</>;
  return (
    <div class="folding">
      <div class={isOpen.value ? undefined : 'folded'}>{children}</div>
      <button
        type="button"
        class="quiet fold"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {isOpen.value ? `Fold ${of}` : `Show all of ${of}`}
      </button>
    </div>
  );
}
