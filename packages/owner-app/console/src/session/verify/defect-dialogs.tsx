import { useSignal } from '@preact/signals';
import { COST_OF_FIX, defectChoices, otherAgent } from '../../../../src/text/records/defect-choices.ts';
import type { Board } from '../../api/types.ts';
import type { SessionDialogProps } from '../../state/live-session.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { FoldedDefectContext } from './defect-context.tsx';

interface DefectDialogProps extends SessionDialogProps {
  readonly defect: Pick<Board['defects'][number], 'defect_id' | 'status' | 'assigned_to'>;
}

const choicesOf = ({ status, assigned_to }: DefectDialogProps['defect']) =>
  defectChoices({ status, assignedTo: assigned_to }, roleName);

/**
 * The dialog that assigns a defect to the other agent: other than the one who had it when the dialog opened, as its title says,
 * also if the board changes meanwhile.
 */
export function ReassignDialog({ live, view, defect: shown, onClose }: DefectDialogProps) {
  const defect = useSignal(shown).value;
  const { defect_id, assigned_to } = defect;
  const role = otherAgent(assigned_to);
  const isTask = view.waits.some(({ operation, record }) => operation === 'reassignDefect' && record.id === defect_id);
  // A dispute or an answer stays a task of the owner while the assignee stays the same.
  const leaving = isTask ? '' : ` If you leave it with ${roleName(assigned_to)}, you have nothing to do.`;
  return (
    <ReasonDialog
      live={live}
      title={`Assign ${defect_id} to ${roleName(role)}`}
      explanation={`${choicesOf(defect).give} ${COST_OF_FIX}${leaving} Both agents can read your reason.`}
      about={<FoldedDefectContext live={live} view={view} defectId={defect_id} />}
      confirm="Assign the defect"
      isRequired={false}
      onConfirm={(reason, seen) =>
        live.act('reassignDefect', { defect_id, role, ...seen, ...(reason !== '' && { reason }) })
      }
      onClose={onClose}
    />
  );
}

/** The dialog that closes a defect without a fix. */
export const WaiveDialog = ({ live, view, defect, onClose }: DefectDialogProps) => (
  <ReasonDialog
    live={live}
    title={`Waive ${defect.defect_id}`}
    explanation={`${choicesOf(defect).waive} The defect no longer prevents a release. Both agents can read your reason.`}
    about={<FoldedDefectContext live={live} view={view} defectId={defect.defect_id} />}
    confirm="Waive the defect"
    onConfirm={(reason, seen) => live.act('waiveDefect', { defect_id: defect.defect_id, reason, ...seen })}
    onClose={onClose}
  />
);
