import type { ComponentChildren } from 'preact';
import { draftAt, sendDraft, textDraft } from '../api/drafts.ts';
import type { LiveSession } from '../state/live-session.ts';
import { FormDialog } from '../ui/controls/dialog.tsx';
import { bound, Field } from '../ui/controls/form.tsx';
import { type Seen, useSeen } from '../ui/requests.tsx';

interface ReasonDialogProps {
  /** The session to which the call and the typed reason belong. Left out for a call that is about all sessions. */
  readonly live?: LiveSession;
  readonly title: string;
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
  /** @param seen the latest event that the page had shown when the dialog opened */
  readonly onConfirm: (reason: string, seen: Seen | undefined) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that asks for a reason, which the agents can read. */
export function ReasonDialog({ live, explanation, about, fallback, onConfirm, ...dialog }: ReasonDialogProps) {
  const { title, isOneLine = false, isRequired = !fallback } = dialog;
  const place = { sessionId: live?.sessionId ?? 'all', record: title, form: 'reason' };
  const seen = useSeen(live);
  const reason = draftAt(place).trim();
  return (
    <FormDialog
      {...dialog}
      of={live?.view.value?.title}
      isFilled={!isRequired || reason !== ''}
      onSend={() => sendDraft(place, () => onConfirm(draftAt(place).trim() || fallback || '', seen))}
    >
      <p>{explanation}</p>
      {about}
      <Field
        label={isRequired ? 'Reason' : 'Reason (optional)'}
        hint={fallback && `If you give no reason, the agents read: ${fallback}`}
        rows={isOneLine ? 0 : 3}
        required={isRequired}
        {...bound(textDraft(place))}
      />
    </FormDialog>
  );
}
