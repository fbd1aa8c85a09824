import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { roleName } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';
import { nameIn } from './names.ts';

interface AssignDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

/** The dialog that assigns a task to an agent. */
export function AssignDialog({ live, view, onClose }: AssignDialogProps) {
  const target = useSignal('agent_a');
  const text = useSignal('');
  const action = useAction();
  const hasModerator = view.access.some(({ role, token }) => role === 'moderator' && token !== null);
  const agents = view.agents.map(({ role }) => [role, nameIn(view, role)] as const);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(() => live.act('assign-action', { target: target.value, text: text.value }))) onClose();
  };
  return (
    <Dialog title="Assign an action" onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Choice
          label="To"
          value={target.value}
          options={hasModerator ? [...agents, ['moderator', roleName('moderator')]] : agents}
          onChange={(value) => {
            target.value = value;
          }}
        />
        <Field
          label="What to do"
          hint="The agent sees it among its actions until it is completed."
          rows={4}
          required
          value={text.value}
          onInput={(value) => {
            text.value = value;
          }}
        />
        <Failure error={action.error} />
        <button type="submit" class="primary" disabled={action.isBusy || text.value.trim() === ''}>
          Assign
        </button>
      </form>
    </Dialog>
  );
}
