import { plural } from '@parley/core/text';
import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Dialog, DialogFoot } from '../../ui/controls/dialog.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { useAction } from '../../ui/requests/use-action.ts';

interface RoundsDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

export function RoundsDialog({ live, view, onClose }: RoundsDialogProps) {
  const rounds = useSignal('5');
  const action = useAction();
  const count = Number(rounds.value);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await action.run(() => live.act('extendRounds', { rounds: count }))) onClose();
  };
  const isCount = Number.isInteger(count) && count > 0;
  return (
    <Dialog title="Add rounds" of={view.title} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Field
          label="Rounds to add"
          hint={
            isCount
              ? `The session then has ${view.state.round_limit + count} rounds. A round is one turn of each agent.`
              : 'Enter a whole number above 0.'
          }
          type="number"
          required
          value={rounds.value}
          onInput={(value) => {
            rounds.value = value.trim();
          }}
        />
        <DialogFoot error={action.error} onLeave={onClose}>
          <button type="submit" class="primary" disabled={action.isBusy || !isCount}>
            {isCount ? `Add ${plural(count, 'round')}` : 'Add rounds'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
