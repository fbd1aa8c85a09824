import type { SessionView } from '../api/types.ts';
import type { LiveSession } from '../state/live-session.ts';
import { Failure } from '../ui/failure.tsx';
import { useAction } from '../ui/use-action.ts';

const WAITS = { build: 'BUILD', deployment: 'DEPLOYMENT', activation: 'ACTIVATION' } as const;

interface AuthorizeButtonProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly stage: keyof typeof WAITS;
}

/** The button that authorizes a stage. It is enabled while an authorization of that stage waits for the owner. */
export function AuthorizeButton({ live, view, stage }: AuthorizeButtonProps) {
  const action = useAction();
  const isReady = view.waits.some(({ kind }) => kind === WAITS[stage]);
  return (
    <>
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
    </>
  );
}
