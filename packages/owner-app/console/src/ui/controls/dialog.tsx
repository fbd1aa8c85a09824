import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ApiError } from '../../api/answers.ts';
import { submitting } from '../../state/setting.ts';
import { Failure, useAction } from '../requests.tsx';
import { SafeText } from '../text/shown.tsx';
import { WriteButton } from './buttons.tsx';

interface DialogProps {
  readonly title: string;
  /** The title of the session about which the user decides. */
  readonly of?: string | undefined;
  readonly onClose: () => void;
  /** True if the user should read the text above the first field. The heading is then focused instead of the field. */
  readonly isRead?: boolean;
  /** What Escape and the button in the heading do instead of closing the dialog, if its content would be lost. */
  readonly onDismiss?: () => void;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog. The focus stays inside it, and Escape closes it, unless `onDismiss` is given. Afterwards, the focus
 * returns to the previously focused element. A link that leads to another place of the console closes the dialog too:
 * otherwise the dialog would cover that place.
 */
export function Dialog({ title, of, onClose, isRead = false, onDismiss, children }: DialogProps) {
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  useEffect(() => {
    const { current } = place;
    current?.showModal();
    // By default, the browser would focus the first button, which closes the dialog.
    current?.querySelector<HTMLElement>(isRead ? 'h2' : 'input, textarea, select')?.focus();
    return () => {
      isLeaving.current = true;
      current?.close();
    };
  }, []);
  // If the page replaces this dialog by another dialog, `onClose` is not called.
  const closeUnlessLeaving = (): void => {
    if (isLeaving.current) return;
    if (!onDismiss) {
      onClose();
      return;
    }
    // At a second Escape, the browser closes the dialog although `close` has cancelled the first one.
    place.current?.showModal();
    onDismiss();
  };
  // Closes the dialog immediately. On Escape, the browser would hide it and fire `close` later. In between, the parent
  // component would ignore the key that opens the dialog again.
  const close = (event: Event): void => {
    event.preventDefault();
    if (onDismiss) {
      onDismiss();
      return;
    }
    isLeaving.current = true;
    place.current?.close();
    onClose();
  };
  const closeAfterLink = (event: MouseEvent): void => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null;
    if (isLink && event.defaultPrevented) close(event);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by keyboard fires `click` too.
    <dialog ref={place} aria-labelledby={id} onCancel={close} onClose={closeUnlessLeaving} onClick={closeAfterLink}>
      <header>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close">
          ✕
        </button>
      </header>
      {of !== undefined && (
        <p class="dialog-of">
          <SafeText in="b" text={of} />
        </p>
      )}
      {children}
    </dialog>
  );
}

interface DialogFootProps {
  /** The error of the last call of the dialog. */
  readonly error: ApiError | null;
  /** Why the button that sends is disabled. */
  readonly obstacle?: ComponentChildren;
  /** Label of the button that leaves the dialog. Null if there is no such button until the grounds have changed. */
  readonly leave?: string | null;
  readonly onLeave: () => void;
  /** The button that sends what was entered. */
  readonly children: ComponentChildren;
}

/** The buttons of a dialog, below the error of the last call. They stay visible while the dialog scrolls. */
export function DialogFoot({ error, obstacle, leave = 'Not now', onLeave, children }: DialogFootProps) {
  const label = error?.code === 'GROUNDS_CHANGED' ? 'Look again' : leave;
  return (
    <footer>
      {obstacle}
      <Failure error={error} />
      <div class="buttons">
        {children}
        {label !== null && (
          <button type="button" onClick={onLeave}>
            {label}
          </button>
        )}
      </div>
    </footer>
  );
}

interface FormDialogProps extends Pick<DialogProps, 'title' | 'of' | 'onClose' | 'children'> {
  /** Label of the button that sends the form. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Whether the form is filled so far that it can be sent. */
  readonly isFilled?: boolean;
  readonly onSend: () => Promise<unknown>;
}

/** A dialog with a form. It closes when the call succeeds, and shows the error when the call is refused. */
export function FormDialog(props: FormDialogProps) {
  const { title, of, confirm, isDangerous = false, isFilled = true, onSend, onClose, children } = props;
  const action = useAction();
  const send = async (): Promise<void> => {
    if (await action.run(onSend)) onClose();
  };
  return (
    <Dialog title={title} of={of} onClose={onClose}>
      <form onSubmit={submitting(send)}>
        {children}
        <DialogFoot error={action.error} onLeave={onClose}>
          <WriteButton type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={action.isBusy || !isFilled}>
            {confirm}
          </WriteButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
