import type { Board, SessionView } from '../api/types.ts';
import type { LiveSession } from '../state/live-session.ts';
import { Failure } from '../ui/failure.tsx';
import { Badge, Said } from '../ui/shown.tsx';
import { useAction } from '../ui/use-action.ts';

interface CertificationPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly board: Board;
}

const STAGES = [
  ['build', 'build_authorized', 'Build'],
  ['deployment', 'deployment_authorized', 'Deployment'],
  ['activation', 'activation_authorized', 'Activation'],
] as const;

/** Every check of a release, and the authorizations that only the owner gives. */
export function CertificationPanel({ live, view, board }: CertificationPanelProps) {
  const { checks, certified } = board.certification;
  return (
    <section class="card stack" aria-labelledby="certification-head">
      <h2 id="certification-head">
        Certification <Badge tone={certified ? 'good' : 'warn'}>{certified ? 'every check holds' : 'not yet'}</Badge>
      </h2>
      <ul class="checks">
        {checks.map(({ check, ok, detail }) => (
          <li key={check}>
            <Badge tone={ok ? 'good' : 'warn'}>{ok ? '✓ holds' : '✗ open'}</Badge> <code>{check}</code>{' '}
            <span class="muted">
              <Said text={detail} />
            </span>
          </li>
        ))}
      </ul>
      <p class="facts">
        {STAGES.map(([stage, flag, title]) => (
          <span key={stage}>
            {title}{' '}
            <Badge tone={board.authorizations[flag] ? 'good' : 'plain'}>
              {board.authorizations[flag] ? 'authorized' : 'not authorized'}
            </Badge>
          </span>
        ))}
      </p>
      <Authorize live={live} view={view} />
    </section>
  );
}

function Authorize({ live, view }: Omit<CertificationPanelProps, 'board'>) {
  const action = useAction();
  const { phase } = view.state;
  if (phase !== 'VERIFY' && phase !== 'RELEASE') return null;
  if (view.state.authorizations.activation_authorized) return null;
  const stage = phase === 'VERIFY' ? 'deployment' : 'activation';
  const isReady = view.waits.some(({ kind }) => kind === (stage === 'deployment' ? 'DEPLOYMENT' : 'ACTIVATION'));
  return (
    <div class="stack">
      <Failure error={action.error} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={!isReady || action.isBusy}
          onClick={() => void action.run(() => live.act('authorize', { stage }))}
        >
          Authorize the {stage}
        </button>
      </div>
    </div>
  );
}
