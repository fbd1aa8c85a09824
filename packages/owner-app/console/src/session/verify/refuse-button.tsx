import { useSignal } from '@preact/signals';
import type { Board } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { DialogButton } from '../../ui/controls/dialog-button.tsx';
import { bound, Choice } from '../../ui/controls/field.tsx';
import { roleName } from '../../ui/text/shown.tsx';
import { hasFewSteps } from '../brief/steps.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

interface RefuseButtonProps extends SessionProps {
  readonly board: Board;
  readonly stage: 'deployment' | 'activation';
}

/** The button that refuses a step because of a fault. Shown only while the authorization of the step waits for the owner. */
export function RefuseButton(props: RefuseButtonProps) {
  const { view, stage } = props;
  const kind = stage === 'deployment' ? 'DEPLOYMENT' : 'ACTIVATION';
  if (!view.waits.some((wait) => wait.kind === kind || wait.kind === 'RELEASE')) return null;
  return (
    <div class="buttons">
      <DialogButton label={`Refuse the ${shownStep(props)}…`}>
        {(onClose) => <RefuseDialog {...props} onClose={onClose} />}
      </DialogButton>
    </div>
  );
}

/** The step in the words of the owner's task. */
const shownStep = ({ view, stage }: RefuseButtonProps): RefuseButtonProps['stage'] | 'release' =>
  hasFewSteps(view) ? 'release' : stage;

function RefuseDialog({ onClose, ...props }: RefuseButtonProps & { readonly onClose: () => void }) {
  const { live, board } = props;
  const passed = board.scenarios.filter(({ status }) => status === 'PASSED');
  const scenario = useSignal(passed[0]?.scenario_id ?? '');
  const role = useSignal<'' | 'agent_a' | 'agent_b'>('');
  const named = passed.find(({ scenario_id }) => scenario_id === scenario.value)?.responsible;
  return (
    <ReasonDialog
      live={live}
      title={`Refuse the ${shownStep(props)}`}
      explanation="Opens a defect. The agent fixes the fault on a new commit, then the scenario and all others have to pass again. Both agents can read your reason."
      about={
        <>
          <Choice
            label="Scenario that has to pass without the fault"
            {...bound(scenario)}
            options={passed.map(({ scenario_id, title }) => [scenario_id, `${scenario_id} ${title}`] as const)}
          />
          <Choice
            label="Who has to fix it"
            {...bound(role)}
            options={[
              ['', named ? `${roleName(named)}, as the contract says` : 'As the contract says'],
              ['agent_a', roleName('agent_a')],
              ['agent_b', roleName('agent_b')],
            ]}
          />
        </>
      }
      confirm={`Refuse the ${shownStep(props)}`}
      isDangerous
      onConfirm={(reason, seen) =>
        live.act('refuseStep', {
          stage: shownStep(props),
          scenario_id: scenario.value,
          reason,
          ...seen,
          ...(role.value !== '' && { role: role.value }),
        })
      }
      onClose={onClose}
    />
  );
}
