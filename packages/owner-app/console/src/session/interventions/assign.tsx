import { useSignal } from '@preact/signals';
import { draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Choice, Field } from '../../ui/controls/field.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { roleName } from '../../ui/text/shown.tsx';

interface AssignDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

export function AssignDialog({ live, view, onClose }: AssignDialogProps) {
  const target = useSignal<SessionView['access'][number]['role']>('agent_a');
  const place = { sessionId: live.sessionId, record: 'session', form: 'assign' };
  const text = draftAt(place);
  const action = useAction();
  const hasModerator = view.access.some(({ role, token }) => role === 'moderator' && token !== null);
  const agents = view.agents.map(({ role }) => [role, roleName(role)] as const);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const assign = () => live.act('assignAction', { target: target.value, text });
    if (await action.run(() => sendDraft(place, assign))) onClose();
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
          hint="The task stays among the actions of the agent until the agent completes it."
          rows={4}
          required
          value={text}
          onInput={(value) => keepDraft(place, value)}
        />
        <DialogFoot error={action.error} onLeave={onClose}>
          <button type="submit" class="primary" disabled={action.isBusy || text.trim() === ''}>
            Assign
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
