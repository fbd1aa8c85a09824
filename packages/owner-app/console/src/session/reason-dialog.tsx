import { useSignal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';

interface ReasonDialogProps {
  readonly title: string;
  /** A sentence that says what the call will do. */
  readonly explanation: string;
  /** Label of the button. */
  readonly confirm: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a reason. The agents will read it. */
export function ReasonDialog({ title, explanation, confirm, onConfirm, onClose }: ReasonDialogProps) {
  const reason = useSignal('');
  const action = useAction();
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(() => onConfirm(reason.value))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <p>{explanation}</p>
        <Field
          label="Reason"
          rows={3}
          required
          value={reason.value}
          onInput={(value) => {
            reason.value = value;
          }}
        />
        <Failure error={action.error} />
        <button type="submit" class="primary" disabled={action.isBusy}>
          {confirm}
        </button>
      </form>
    </Dialog>
  );
}
