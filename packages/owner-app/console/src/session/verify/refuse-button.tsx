import { useSignal } from '@preact/signals';
import type { Board, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Choice } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { useSeen } from '../../ui/requests/use-action.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { hasFewSteps } from '../brief/steps.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

interface RefuseButtonProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly board: Board;
  readonly stage: 'deployment' | 'activation';
}

/** The button that refuses a step because of a fault. Shown only while the authorization of the step waits for the owner. */
export function RefuseButton(props: RefuseButtonProps) {
  const isOpen = useSignal(false);
  const { view, stage } = props;
  const kind = stage === 'deployment' ? 'DEPLOYMENT' : 'ACTIVATION';
  if (!view.waits.some((wait) => wait.kind === kind || wait.kind === 'RELEASE')) return null;
  return (
    <div class="buttons">
      <WriteButton
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {`Refuse the ${shownStep(props)}…`}
      </WriteButton>
      {isOpen.value && (
        <RefuseDialog
          {...props}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}

/** The step in the words of the owner's task. */
const shownStep = ({ view, stage }: RefuseButtonProps): RefuseButtonProps['stage'] | 'release' =>
  hasFewSteps(view) ? 'release' : stage;

function RefuseDialog({ onClose, ...props }: RefuseButtonProps & { readonly onClose: () => void }) {
  const { live, board } = props;
  const seen = useSeen(live);
  const passed = board.scenarios.filter(({ status }) => status === 'PASSED');
  const scenario = useSignal(passed[0]?.scenario_id ?? '');
  const role = useSignal<'' | 'agent_a' | 'agent_b'>('');
  const named = passed.find(({ scenario_id }) => scenario_id === scenario.value)?.responsible;
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Refuse the ${shownStep(props)}`}
      explanation="Opens a defect. The agent fixes the fault on a new commit, then the scenario and all others have to pass again. Both agents can read your reason."
      about={
        <>
          <Choice
            label="Scenario that has to pass without the fault"
            value={scenario.value}
            options={passed.map(({ scenario_id, title }) => [scenario_id, `${scenario_id} ${title}`] as const)}
            onChange={(value) => {
              scenario.value = value;
            }}
          />
          <Choice
            label="Who has to fix it"
            value={role.value}
            options={[
              ['', named ? `${roleName(named)}, as the contract says` : 'As the contract says'],
              ['agent_a', roleName('agent_a')],
              ['agent_b', roleName('agent_b')],
            ]}
            onChange={(value) => {
              role.value = value;
            }}
          />
        </>
      }
      confirm={`Refuse the ${shownStep(props)}`}
      isDangerous
      onConfirm={(reason) =>
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
