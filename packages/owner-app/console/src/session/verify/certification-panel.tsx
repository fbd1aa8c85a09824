import { useSignal } from '@preact/signals';
import { namedText } from '../../../../src/text/agent.ts';
import { LEVEL_TEXTS } from '../../../../src/text/record-words.ts';
import type { Board, SessionView } from '../../api/answers.ts';
import { Card } from '../../ui/card.tsx';
import { DialogButton } from '../../ui/controls/buttons.tsx';
import { bound, Choice } from '../../ui/controls/form.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Level } from '../../ui/text/marks.tsx';
import { Badge, Role, roleName } from '../../ui/text/shown.tsx';
import { AuthorizeButton } from '../brief/authorize.tsx';
import { ApprovalLine } from '../brief/brief.tsx';
import { hasFewSteps, isShownDecision } from '../brief/steps.ts';
import { SaveButtons } from '../log/save-buttons.tsx';
import { ReasonDialog } from '../operation-dialog.tsx';
import type { BoardProps } from './defect-context.tsx';
import { Attachments } from './evidence.tsx';

interface RefuseButtonProps extends BoardProps {
  readonly stage: 'deployment' | 'activation';
}

/** The button that refuses a step because of a fault. Shown only while the authorization of the step waits for the owner. */
function RefuseButton(props: RefuseButtonProps) {
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

const STAGES = [
  ['build_authorized', 'Build'],
  ['deployment_authorized', 'Deployment'],
  ['activation_authorized', 'Activation'],
] as const;

export function CertificationPanel({ live, view, board }: BoardProps) {
  const { checks, certified, level, gates = [] } = board.certification;
  const stage = nextStage(view);
  const refused = stage === 'release' ? releasedStep(board) : stage === 'build' ? null : stage;
  return (
    <Card
      class="card stack"
      head="certification-head"
      title="Certification"
      note={<Badge tone={certified ? 'good' : 'warn'}>{certified ? 'every check passes' : 'not yet'}</Badge>}
    >
      <ul class="checks">
        {checks.map(({ check, ok, detail }) => (
          <li key={check}>
            <Badge tone={ok ? 'good' : 'warn'}>{ok ? '✓ holds' : '✗ does not hold'}</Badge> <code>{check}</code>{' '}
            <LinkedText in="span" class="muted" text={namedText(detail, roleName)} isOfService />
          </li>
        ))}
      </ul>
      {gates.length > 0 && (
        <ul class="checks" aria-label="Gates that demand a run">
          {gates.map((gate) => (
            <li key={gate.gate_id}>
              <IdLink id={gate.gate_id} /> of the {gate.stage}, run by <Role of={gate.run.by} />:{' '}
              {gate.level ? <Level of={gate.level} /> : <Badge tone="warn">missing</Badge>}{' '}
              <LinkedText in="span" class="muted" text={namedText(gate.missing.join('; '), roleName)} isOfService />
              <Attachments files={gate.attachments} />
            </li>
          ))}
        </ul>
      )}
      {level && (
        <p>
          Lowest evidence of a pass: <Level of={level} /> <span class="muted">{passesByLevel(board)}</span>
        </p>
      )}
      <p class="facts">
        {STAGES.map(([flag, title]) => (
          <span key={flag}>
            {title}{' '}
            <Badge tone={board.authorizations[flag] ? 'good' : 'plain'}>
              {board.authorizations[flag] ? 'authorized' : 'not authorized'}
            </Badge>
          </span>
        ))}
      </p>
      {board.approvals.map((approvals) => (
        <ApprovalLine key={approvals.stage} approvals={approvals} />
      ))}
      {certified && <SaveButtons sessionId={live.sessionId} files={['certificate']} />}
      {stage && !isShownDecision(view, stage) && <AuthorizeButton key={stage} live={live} view={view} stage={stage} />}
      {refused && <RefuseButton key={`refuse ${refused}`} {...{ live, view, board }} stage={refused} />}
    </Card>
  );
}

/** The number of passes by level, the best first, such as `1 recorded, 2 claimed`. Empty if the board left scenarios out. */
function passesByLevel({ scenarios, left_out }: Board): string {
  if (left_out) return '';
  const counts = Object.keys(LEVEL_TEXTS)
    .toReversed()
    .map((level) => [scenarios.filter((one) => one.level === level).length, level]);
  return counts
    .filter(([count]) => count !== 0)
    .map((pair) => pair.join(' '))
    .join(', ');
}

/** The step that a refusal of the release names: the first that is not authorized. */
const releasedStep = ({ authorizations }: Board): 'deployment' | 'activation' =>
  authorizations.deployment_authorized ? 'activation' : 'deployment';

/** Returns the stage that the owner can authorize next, or null if there is none. */
function nextStage(view: SessionView): 'build' | 'deployment' | 'activation' | 'release' | null {
  const { state } = view;
  if (state.authorizations.activation_authorized) return null;
  if (state.phase === 'READINESS') return 'build';
  if (hasFewSteps(view) && (state.phase === 'VERIFY' || state.phase === 'RELEASE')) return 'release';
  if (state.phase === 'VERIFY') return 'deployment';
  return state.phase === 'RELEASE' ? 'activation' : null;
}
