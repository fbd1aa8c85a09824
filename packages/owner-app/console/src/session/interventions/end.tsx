import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { SafeText } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';

interface EndDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

const REASONS = [
  ['COMPLETED', 'Completed: what was to be built is built'],
  ['CANCELLED', 'Cancelled: it will not be built'],
] as const;

/** Ends the session. Asks for confirmation first, because a session cannot be reopened. */
export function EndDialog({ live, view, onClose }: EndDialogProps) {
  const reason = useSignal<string>(view.state.authorizations.activation_authorized ? 'COMPLETED' : 'CANCELLED');
  const note = useSignal('');
  const isAskedAgain = useSignal(false);
  const action = useAction();
  const ask = (value: boolean): void => {
    action.clear();
    isAskedAgain.value = value;
  };
  const end = async (): Promise<void> => {
    const said = note.value.trim() === '' ? {} : { note: note.value };
    if (await action.run(() => live.act('end', { end_reason: reason.value, ...said }))) onClose();
  };
  if (isAskedAgain.value)
    return (
      <Dialog title="End it for good?" onClose={onClose}>
        <div class="stack">
          <p>
            <b>
              <SafeText text={view.title} />
            </b>{' '}
            ends as {reason.value}. No agent can write to it again and it cannot be resumed. It can still be read,
            exported and deleted.
          </p>
          <Failure error={action.error} />
          <div class="buttons">
            <button type="button" class="danger" disabled={action.isBusy} onClick={() => void end()}>
              Yes, end it for good
            </button>
            <button type="button" onClick={() => ask(false)}>
              Back
            </button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="End the session" onClose={onClose}>
      <div class="stack">
        <Choice
          label="It is"
          value={reason.value}
          options={REASONS}
          onChange={(value) => {
            reason.value = value;
          }}
        />
        <Field
          label="Note"
          hint="Both agents read it. It may stay empty."
          rows={3}
          value={note.value}
          onInput={(value) => {
            note.value = value;
          }}
        />
        <div class="buttons">
          <button type="button" class="danger" onClick={() => ask(true)}>
            End…
          </button>
          <button type="button" onClick={onClose}>
            Keep it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
