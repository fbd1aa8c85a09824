import { insteadOf } from '@parley/core/text';
import { useEffect, useMemo } from 'preact/hooks';
import { otherAgent } from '../../../../src/text/record-words.ts';
import type { OwnerWait, SessionView } from '../../api/answers.ts';
import { type LiveSession, openSession } from '../../state/live-session.ts';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Pending, useCall } from '../../ui/requests.tsx';
import { useAgentNames } from '../agents.tsx';
import { AuthorizeDialog } from '../brief/authorize.tsx';
import { stepOf } from '../brief/steps.ts';
import { ApproveDialog } from '../contract/approve-panel.tsx';
import { EndDialog, RoundsDialog } from '../interventions/bar.tsx';
import { OperationDialog } from '../operation-dialog.tsx';
import { ReassignDialog, WaiveDialog } from '../verify/defect-context.tsx';
import { dialogOf, type TaskForm } from './buttons-of.ts';

interface TaskDialogProps {
  readonly sessionId: string;
  /** The session on whose page the dialog is shown. Null in the inbox. */
  readonly live: LiveSession | null;
  readonly wait: OwnerWait;
  readonly form: TaskForm;
  readonly onClose: () => void;
}

/** The dialog in which the owner completes a task. In the inbox, it loads the session first. */
export function TaskDialog({ live, ...task }: TaskDialogProps) {
  if (!live) return <Loading {...task} />;
  return live.view.value && <Shown {...task} live={live} view={live.view.value} />;
}

function Loading(task: Omit<TaskDialogProps, 'live'>) {
  const live = useMemo(() => openSession(task.sessionId, { isFollowed: false }), [task.sessionId]);
  useEffect(() => () => live.close(), [live]);
  const view = live.view.value;
  useAgentNames(view);
  if (view) return <Shown {...task} live={live} view={view} />;
  return (
    <Dialog title="One moment" onClose={task.onClose}>
      <Pending error={live.error.value} />
    </Dialog>
  );
}

interface ShownProps extends Omit<TaskDialogProps, 'live'> {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** The defect of a dispute. Only an open defect is disputed. `payload.role` is the agent that is not its assignee. */
const disputed = (defect_id: string, { role }: OwnerWait['payload']) => ({
  defect_id,
  status: 'OPEN' as const,
  assigned_to: otherAgent(String(role)),
});

/** The known members of the input of an operation that the task names, or that the owner can call instead. */
const payloadOf = (wait: OwnerWait, operation: string): OwnerWait['payload'] | undefined =>
  [wait, ...insteadOf(wait, 'console')].find((one) => one.operation === operation)?.payload;

function Shown({ live, view, wait, form, onClose }: ShownProps) {
  const { kind, record, payload } = wait;
  const operation = dialogOf(form);
  const stage = stepOf(kind);
  switch (form) {
    case 'approve':
      return <Approve live={live} view={view} onClose={onClose} />;
    case 'reassign':
      return <ReassignDialog live={live} view={view} defect={disputed(record.id, payload)} onClose={onClose} />;
    case 'waive':
      return <WaiveDialog live={live} view={view} defect={disputed(record.id, payload)} onClose={onClose} />;
    case 'rounds':
      return <RoundsDialog live={live} view={view} onClose={onClose} />;
    case 'end':
      return <EndDialog live={live} view={view} onClose={onClose} />;
    default:
      if (operation)
        return (
          <OperationDialog
            live={live}
            operation={operation}
            payload={payloadOf(wait, operation)}
            findingId={wait.finding_id}
            onClose={onClose}
          />
        );
      if (!stage || stage === 'approval') return null;
      return (
        <AuthorizeDialog
          live={live}
          view={view}
          stage={stage}
          isReady={view.waits.some((wait) => wait.kind === kind)}
          onClose={onClose}
        />
      );
  }
}

type ApproveProps = Pick<ShownProps, 'live' | 'view' | 'onClose'>;

function Approve({ live, view, onClose }: ApproveProps) {
  const { value: plan, error } = useCall('plan', { session_id: live.sessionId }, live.version.value);
  if (plan?.revision_id && plan.content_hash) {
    const shown = { revision_id: plan.revision_id, content_hash: plan.content_hash };
    return <ApproveDialog live={live} view={view} shown={shown} latest={plan} onClose={onClose} />;
  }
  return (
    <Dialog title="One moment" onClose={onClose}>
      <Pending error={error} />
    </Dialog>
  );
}
