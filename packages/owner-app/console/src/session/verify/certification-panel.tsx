import { namedText } from '../../../../src/text/agent.ts';
import { LEVEL_TEXTS } from '../../../../src/text/records/levels.ts';
import type { Board, SessionView } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { Level } from '../../ui/text/level.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Role, roleName } from '../../ui/text/shown.tsx';
import { ApprovalLine } from '../brief/approval-line.tsx';
import { AuthorizeButton } from '../brief/authorize-button.tsx';
import { hasFewSteps, isShownDecision } from '../brief/steps.ts';
import { SaveButtons } from '../log/save-buttons.tsx';
import { Attachments } from './attachments.tsx';
import { RefuseButton } from './refuse-button.tsx';

interface CertificationPanelProps extends SessionProps {
  readonly board: Board;
}

const STAGES = [
  ['build_authorized', 'Build'],
  ['deployment_authorized', 'Deployment'],
  ['activation_authorized', 'Activation'],
] as const;

export function CertificationPanel({ live, view, board }: CertificationPanelProps) {
  const { checks, certified, level, gates = [] } = board.certification;
  const stage = nextStage(view);
  const refused = stage === 'release' ? releasedStep(board) : stage === 'build' ? null : stage;
  return (
    <section class="card stack" aria-labelledby="certification-head">
      <h2 id="certification-head">
        Certification <Badge tone={certified ? 'good' : 'warn'}>{certified ? 'every check passes' : 'not yet'}</Badge>
      </h2>
      <ul class="checks">
        {checks.map(({ check, ok, detail }) => (
          <li key={check}>
            <Badge tone={ok ? 'good' : 'warn'}>{ok ? '✓ holds' : '✗ does not hold'}</Badge> <code>{check}</code>{' '}
            <span class="muted">
              <LinkedText text={namedText(detail, roleName)} isOfService />
            </span>
          </li>
        ))}
      </ul>
      {gates.length > 0 && (
        <ul class="checks" aria-label="Gates that demand a run">
          {gates.map((gate) => (
            <li key={gate.gate_id}>
              <IdLink id={gate.gate_id} /> of the {gate.stage}, run by <Role of={gate.run.by} />:{' '}
              {gate.level ? <Level of={gate.level} /> : <Badge tone="warn">missing</Badge>}{' '}
              <span class="muted">
                <LinkedText text={namedText(gate.missing.join('; '), roleName)} isOfService />
              </span>
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
    </section>
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
