import type { ComponentChildren } from 'preact';
import { useAction } from '../requests/use-action.ts';
import { Dialog, DialogFoot } from './dialog.tsx';
import { WriteButton } from './write-button.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The title of the session about which the user decides. */
  readonly of?: string | undefined;
  /** Label of the button that sends the form. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Whether the form is filled so far that it can be sent. */
  readonly isFilled?: boolean;
  readonly onSend: () => Promise<unknown>;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ComponentChildren;
}

/** A dialog with a form. It closes when the call succeeds, and shows the error when the call is refused. */
export function FormDialog(props: FormDialogProps) {
  const { title, of, confirm, isDangerous = false, isFilled = true, onSend, onClose, children } = props;
  const action = useAction();
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(onSend)) onClose();
  };
  return (
    <Dialog title={title} of={of} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
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
