import { useEffect, useMemo } from 'preact/hooks';
import type { OwnerWait, Plan, SessionView } from '../api/types.ts';
import { useAgentNames } from '../session/agent-names.ts';
import { AuthorizeDialog } from '../session/brief/authorize-dialog.tsx';
import { ApproveDialog } from '../session/contract/approve-dialog.tsx';
import { type LiveSession, openSession } from '../state/live-session.ts';
import { Dialog } from '../ui/controls/dialog.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { useRead } from '../ui/requests/use-read.ts';

interface StepDialogProps {
  readonly sessionId: string;
  readonly kind: OwnerWait['kind'];
  readonly onClose: () => void;
}

const STAGES = { BUILD: 'build', DEPLOYMENT: 'deployment', ACTIVATION: 'activation' } as const;

/**
 * The dialog for an approval or an authorization. It loads the session, because the inbox holds only a part of each
 * session.
 */
export function StepDialog({ sessionId, kind, onClose }: StepDialogProps) {
  const live = useMemo(() => openSession(sessionId, { isFollowed: false }), [sessionId]);
  useEffect(() => () => live.close(), [live]);
  const view = live.view.value;
  useAgentNames(view);
  if (!view)
    return (
      <Dialog title="One moment" onClose={onClose}>
        {live.error.value ? <Failure error={live.error.value} /> : <p class="waiting">Loading…</p>}
      </Dialog>
    );
  if (kind === 'APPROVAL') return <Approve live={live} view={view} onClose={onClose} />;
  const stage = STAGES[kind as keyof typeof STAGES];
  const isReady = view.waits.some((wait) => wait.kind === kind);
  return <AuthorizeDialog live={live} view={view} stage={stage} isReady={isReady} onClose={onClose} />;
}

interface ApproveProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly onClose: () => void;
}

function Approve({ live, view, onClose }: ApproveProps) {
  const { value: plan, error } = useRead<Plan>(`/sessions/${live.sessionId}/plan`, live.version.value);
  if (plan?.revision_id && plan.content_hash) {
    const shown = { revision_id: plan.revision_id, content_hash: plan.content_hash };
    return <ApproveDialog live={live} view={view} shown={shown} latest={plan} onClose={onClose} />;
  }
  return (
    <Dialog title="One moment" onClose={onClose}>
      {error ? <Failure error={error} /> : <p class="waiting">Loading…</p>}
    </Dialog>
  );
}
