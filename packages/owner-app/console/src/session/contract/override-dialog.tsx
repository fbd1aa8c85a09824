import type { LiveSession } from '../../state/live-session.ts';
import { useSeen } from '../../ui/requests/use-action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

interface OverrideDialogProps {
  readonly live: LiveSession;
  readonly findingId: string;
  readonly onClose: () => void;
}

/** The dialog that closes a finding against the will of the agent that raised it. */
export function OverrideDialog({ live, findingId, onClose }: OverrideDialogProps) {
  const seen = useSeen(live);
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Override ${findingId}`}
      explanation="The finding is closed although the agent that raised it has not closed it. Any hold on the finding ends. Everybody in the session can read your reason."
      confirm="Override the finding"
      onConfirm={(reason) => live.act('overrideFinding', { finding_id: findingId, reason, ...seen })}
      onClose={onClose}
    />
  );
}
