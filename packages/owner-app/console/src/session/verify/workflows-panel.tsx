import { useSignal } from '@preact/signals';
import type { Board } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { DialogButton } from '../../ui/controls/dialog-button.tsx';
import { bound, Choice, Field } from '../../ui/controls/field.tsx';
import { FormDialog } from '../../ui/controls/form-dialog.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { Role, roleName, SafeText } from '../../ui/text/shown.tsx';

const BUILDERS = ['agent_a', 'agent_b'] as const;
type Builder = (typeof BUILDERS)[number];

interface WorkflowsPanelProps {
  readonly live: LiveSession;
  readonly board: Board;
}

/** The workflows whose test reports count as evidence of the agents, of level ci. */
export function WorkflowsPanel({ live, board }: WorkflowsPanelProps) {
  const unbind = useAction();
  const isOver = live.view.value?.state.status === 'ENDED';
  if (isOver && board.workflows.length === 0) return null;
  return (
    <section class="card" aria-labelledby="workflows-head">
      <h2 id="workflows-head">Workflows</h2>
      <ul class="handshakes">
        {BUILDERS.map((role) => {
          const bound = board.workflows.find((one) => one.role === role);
          return (
            <li key={role}>
              <Role of={role} />{' '}
              <span class="facts">
                {bound ? (
                  <SafeText text={`${bound.workflow} of ${bound.repository}, on ${bound.ref}`} />
                ) : (
                  <span class="muted">no workflow reports</span>
                )}
                <DialogButton label={`Bind a workflow of ${roleName(role)}…`} needs="approver" isOffered={!isOver}>
                  {(onClose) => <BindDialog {...{ live, role, onClose }} />}
                </DialogButton>
                {!isOver && bound && (
                  <WriteButton
                    needs="approver"
                    disabled={unbind.isBusy}
                    onClick={() => void unbind.run(() => live.act('unbindWorkflow', { role }))}
                  >
                    Unbind
                  </WriteButton>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <Failure error={unbind.error} />
    </section>
  );
}

interface BindDialogProps {
  readonly live: LiveSession;
  readonly role: Builder;
  readonly onClose: () => void;
}

const START = { repository: '', workflow: '.github/workflows/parley.yml', ref: 'refs/heads/main', issuer: '' };
const FIELDS = [
  ['repository', 'Repository, such as acme/shop'],
  ['workflow', 'Workflow file'],
  ['ref', 'Branch or tag, as a whole ref'],
  ['issuer', 'Issuer, for a forge of your own (optional)'],
] as const;

function BindDialog({ live, role, onClose }: BindDialogProps) {
  const forge = useSignal<'github' | 'gitlab'>('github');
  const typed = useSignal(START);
  const send = (): Promise<unknown> => {
    const { issuer, ...place } = typed.value;
    const input = { role, forge: forge.value, ...place, ...(issuer && { issuer }) };
    return live.act('bindWorkflow', input);
  };
  return (
    <FormDialog
      title={`Bind a workflow of ${roleName(role)}`}
      of={live.view.value?.title}
      confirm="Bind the workflow"
      onSend={send}
      onClose={onClose}
    >
      <p>
        Its test reports count as evidence of {roleName(role)}, of level ci. It sends them to{' '}
        <code>{`${location.origin}/owner/api/ci/${live.sessionId}`}</code>.
      </p>
      <Choice
        label="Forge"
        {...bound(forge)}
        options={[
          ['github', 'GitHub'],
          ['gitlab', 'GitLab'],
        ]}
      />
      {FIELDS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          value={typed.value[name]}
          onChange={(value) => {
            typed.value = { ...typed.value, [name]: value.trim() };
          }}
        />
      ))}
    </FormDialog>
  );
}
