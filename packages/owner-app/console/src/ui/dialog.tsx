import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog. The focus stays inside it, and Escape closes it. When it is closed, the focus returns to the element that had
 * it before.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = place;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={place} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
