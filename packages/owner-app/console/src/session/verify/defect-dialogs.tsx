import type { LiveSession } from '../../state/live-session.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';

interface DefectDialogProps {
  readonly live: LiveSession;
  readonly defectId: string;
  readonly onClose: () => void;
}

interface ReassignDialogProps extends DefectDialogProps {
  /** The agent that must then fix the defect. */
  readonly to: 'agent_a' | 'agent_b';
}

/** The dialog that assigns a defect to the other agent. */
export function ReassignDialog({ live, defectId: defect_id, to: role, onClose }: ReassignDialogProps) {
  const from = role === 'agent_a' ? 'agent_b' : 'agent_a';
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      title={`Assign ${defect_id} to ${roleName(role)}`}
      explanation={`${roleName(role)} must then fix the defect, and ${roleName(from)} no longer has to. Both agents can read your reason.`}
      confirm="Assign the defect"
      isRequired={false}
      onConfirm={(reason) => live.act('reassign-defect', { defect_id, role, ...(reason !== '' && { reason }) })}
      onClose={onClose}
    />
  );
}

/** The dialog that closes a defect without a fix. */
export function WaiveDialog({ live, defectId: defect_id, onClose }: DefectDialogProps) {
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      title={`Waive ${defect_id}`}
      explanation="The defect no longer prevents a release, but its scenario still has to pass. Both agents can read your reason."
      confirm="Waive the defect"
      onConfirm={(reason) => live.act('waive-defect', { defect_id, reason })}
      onClose={onClose}
    />
  );
}
