import '../../styles/side-panel.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { SHEET } from '../../state/route.ts';
import { Notice } from './notice.tsx';

/**
 * Stores the position of an element in the window: of the focused element or, if no visible element is focused, of the
 * element in the middle of the window.
 *
 * @returns a function that scrolls the page so that the element has the same position again, after the page has changed
 * its width
 */
function keepInPlace(): () => void {
  const element = elementToKeep();
  if (!element) return () => undefined;
  const { top } = element.getBoundingClientRect();
  return () => scrollBy(0, element.getBoundingClientRect().top - top);
}

function elementToKeep(): Element | null {
  const main = document.querySelector('main');
  const { activeElement } = document;
  if (!main) return null;
  if (activeElement && activeElement !== main && main.contains(activeElement) && isOnScreen(activeElement))
    return activeElement;
  // At the top of the page, scrolling would hide the top bar, so no element is kept in place.
  if (scrollY === 0) return null;
  const { left, width } = main.getBoundingClientRect();
  const middle = document.elementFromPoint(left + width / 2, innerHeight / 2);
  return middle && main.contains(middle) ? middle : null;
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

interface SidePanelProps {
  readonly title: string;
  /** Id of the record or part in the panel. When this value changes, the heading gets the focus. */
  readonly of: string;
  readonly onClose: () => void;
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A panel beside the page. The page can still be used. On a narrow screen, the panel is a modal sheet. Escape closes
 * the panel, and the focus returns to the previously focused element.
 */
export function SidePanel({ title, of, onClose, controls, children }: SidePanelProps) {
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // Stores the scroll position before the panel makes the page narrower.
  const restore = useMemo(() => keepInPlace(), []);
  useLayoutEffect(() => {
    restore();
    return () => {
      const restoreAfterwards = keepInPlace();
      requestAnimationFrame(restoreAfterwards);
    };
  }, []);
  const opener = useMemo(() => document.activeElement, []);
  useEffect(() => {
    const { current } = place;
    // While a modal dialog is open, users can reach the panel only if it is modal too.
    if (matchMedia(SHEET).matches || document.querySelector('dialog:modal')) current?.showModal();
    else current?.show();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog:modal')) close.current();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      current?.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [of]);
  return (
    <dialog
      class="side-panel"
      ref={place}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {controls}
        <button type="button" class="quiet" onClick={onClose} aria-label="Close the panel">
          ✕
        </button>
      </header>
      {children}
      {/* On a narrow screen, the modal panel shows the confirmation too, because users cannot reach the page. */}
      {matchMedia(SHEET).matches && <Notice />}
    </dialog>
  );
}
