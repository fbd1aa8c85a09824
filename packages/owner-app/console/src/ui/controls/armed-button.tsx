import { useSignal } from '@preact/signals';
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ArmedButtonProps {
  readonly class?: string;
  readonly disabled?: boolean;
  readonly place?: Ref<HTMLButtonElement>;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

/** Milliseconds before the button accepts a click, so that it ignores the second click of a double click. */
const ARMING_MS = 600;

/**
 * A button for a step that cannot be undone. It appears at the position of another button, so it ignores the second
 * click of a double click and repeats of a held key. A click counts only if it began on this button after `ARMING_MS`.
 */
export function ArmedButton({
  class: className,
  disabled = false,
  place = null,
  onConfirm,
  children,
}: ArmedButtonProps) {
  const isArmed = useSignal(false);
  const wasPressed = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isArmed.value = true;
    }, ARMING_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  const take = (event: MouseEvent): void => {
    // For a click by keyboard or by assistive technology, `detail` is 0.
    const isByPointer = event.detail > 0;
    if (!isArmed.value || event.detail > 1 || (isByPointer && !wasPressed.current)) return;
    wasPressed.current = false;
    onConfirm();
  };
  return (
    <button
      type="button"
      class={className}
      ref={place}
      disabled={disabled}
      aria-disabled={!isArmed.value}
      onPointerDown={() => {
        wasPressed.current = isArmed.value;
      }}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={take}
    >
      {children}
    </button>
  );
}
