import type { ComponentChildren } from 'preact';
import { draftAt, keepDraft, sendDraft } from '../api/drafts.ts';
import { Dialog, DialogFoot } from '../ui/controls/dialog.tsx';
import { Field } from '../ui/controls/field.tsx';
import { useAction } from '../ui/requests/use-action.ts';

interface ReasonDialogProps {
  /** The session to which the typed reason belongs. `all` for a call that is about all sessions. */
  readonly sessionId: string;
  readonly title: string;
  /** The title of the session. Left out for a call that is about all sessions. */
  readonly of?: string | undefined;
  /** A sentence that describes what the call will do. */
  readonly explanation: string;
  /** What the call is about, shown below the explanation. */
  readonly about?: ComponentChildren;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Whether the field for the reason has one line, so that Enter confirms. */
  readonly isOneLine?: boolean;
  /** The text that the agents read if the owner gives no reason. */
  readonly fallback?: string;
  /** Whether the owner must give a reason. Default: true if there is no `fallback`. */
  readonly isRequired?: boolean;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that asks for a reason, which the agents can read. */
export function ReasonDialog({
  sessionId,
  title,
  of,
  explanation,
  about,
  confirm,
  isDangerous = false,
  isOneLine = false,
  fallback,
  isRequired = !fallback,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const place = { sessionId, record: title, form: 'reason' };
  const action = useAction();
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(() => sendDraft(place, () => onConfirm(draftAt(place).trim() || fallback || '')))) onClose();
  };
  return (
    <Dialog title={title} of={of} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <p>{explanation}</p>
        {about}
        <Field
          label={isRequired ? 'Reason' : 'Reason (optional)'}
          hint={fallback && `If you give no reason, the agents read: ${fallback}`}
          rows={isOneLine ? 0 : 3}
          required={isRequired}
          value={draftAt(place)}
          onInput={(value) => keepDraft(place, value)}
        />
        <DialogFoot error={action.error} onLeave={onClose}>
          <button
            type="submit"
            class={isDangerous ? 'danger' : 'primary'}
            disabled={action.isBusy || (isRequired && draftAt(place).trim() === '')}
          >
            {confirm}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
