import { useSignal } from '@preact/signals';
import { draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ArmedButton } from '../../ui/controls/armed-button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Choice, Field } from '../../ui/controls/field.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { SafeText } from '../../ui/text/shown.tsx';

interface EndDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

const REASONS = [
  ['COMPLETED', 'Completed: everything was built as planned'],
  ['CANCELLED', 'Cancelled: the change will not be built'],
] as const;

/** The dialog that ends the session. It asks for confirmation, because an ended session cannot be opened again. */
export function EndDialog({ live, view, onClose }: EndDialogProps) {
  const reason = useSignal<'COMPLETED' | 'CANCELLED'>(
    view.state.authorizations.activation_authorized ? 'COMPLETED' : 'CANCELLED',
  );
  const place = { sessionId: live.sessionId, record: 'session', form: 'end' };
  const note = draftAt(place);
  const isAskedAgain = useSignal(false);
  const action = useAction();
  const ask = (value: boolean): void => {
    action.clear();
    isAskedAgain.value = value;
  };
  const end = async (): Promise<void> => {
    const input = { end_reason: reason.value, ...(note.trim() === '' ? {} : { note }) };
    if (await action.run(() => sendDraft(place, () => live.act('end', input)))) onClose();
  };
  if (isAskedAgain.value)
    return (
      <Dialog title="End the session for good?" onClose={onClose}>
        <div class="stack">
          <p>
            <b>
              <SafeText text={view.title} />
            </b>{' '}
            ends as {reason.value}. No agent can write to it again and it cannot be resumed. It can still be read,
            exported and erased.
          </p>
          <DialogFoot error={action.error} leave="Back" onLeave={() => ask(false)}>
            <ArmedButton class="danger" disabled={action.isBusy} onConfirm={() => void end()}>
              Yes, end it for good
            </ArmedButton>
          </DialogFoot>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="End the session" of={view.title} onClose={onClose}>
      <div class="stack">
        <Choice
          label="Outcome"
          value={reason.value}
          options={REASONS}
          onChange={(value) => {
            reason.value = value;
          }}
        />
        <Field
          label="Note"
          hint="Both agents can read the note. You can leave it empty."
          rows={3}
          value={note}
          onInput={(value) => keepDraft(place, value)}
        />
        <DialogFoot error={null} leave="Keep the session" onLeave={onClose}>
          <button type="button" class="danger" onClick={() => ask(true)}>
            End…
          </button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
