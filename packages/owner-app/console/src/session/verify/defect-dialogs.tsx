import { COST_OF_FIX, defectChoices, otherAgent } from '../../../../src/text/records/defect-choices.ts';
import type { Board, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { useSeen } from '../../ui/requests/use-action.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { FoldedDefectContext } from './defect-context.tsx';

interface DefectDialogProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly defect: Pick<Board['defects'][number], 'defect_id' | 'status' | 'assigned_to'>;
  readonly onClose: () => void;
}

const choicesOf = ({ status, assigned_to }: DefectDialogProps['defect']) =>
  defectChoices({ status, assignedTo: assigned_to }, roleName);

/** The dialog that assigns a defect to the other agent. */
export function ReassignDialog({ live, view, defect, onClose }: DefectDialogProps) {
  const seen = useSeen(live);
  const { defect_id, assigned_to } = defect;
  const role = otherAgent(assigned_to);
  const isTask = view.waits.some(({ operation, record }) => operation === 'reassignDefect' && record.id === defect_id);
  // A dispute or an answer stays a task of the owner while the assignee stays the same.
  const leaving = isTask ? '' : ` If you leave it with ${roleName(assigned_to)}, you have nothing to do.`;
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Assign ${defect_id} to ${roleName(role)}`}
      explanation={`${choicesOf(defect).give} ${COST_OF_FIX}${leaving} Both agents can read your reason.`}
      about={<FoldedDefectContext live={live} view={view} defectId={defect_id} />}
      confirm="Assign the defect"
      isRequired={false}
      onConfirm={(reason) => live.act('reassignDefect', { defect_id, role, ...seen, ...(reason !== '' && { reason }) })}
      onClose={onClose}
    />
  );
}

/** The dialog that closes a defect without a fix. */
export function WaiveDialog({ live, view, defect, onClose }: DefectDialogProps) {
  const seen = useSeen(live);
  const { defect_id } = defect;
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Waive ${defect_id}`}
      explanation={`${choicesOf(defect).waive} The defect no longer prevents a release. Both agents can read your reason.`}
      about={<FoldedDefectContext live={live} view={view} defectId={defect_id} />}
      confirm="Waive the defect"
      onConfirm={(reason) => live.act('waiveDefect', { defect_id, reason, ...seen })}
      onClose={onClose}
    />
  );
}
