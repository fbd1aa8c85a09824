import { useSignal } from '@preact/signals';
import type { Glance, OwnerWait } from '../api/types.ts';
import { actOn } from '../state/inbox.ts';
import { Link } from '../ui/controls/link.tsx';
import { WriteButton } from '../ui/controls/write-button.tsx';
import { Failure } from '../ui/requests/failure.tsx';
import { lazy } from '../ui/requests/lazy.tsx';
import { useAction } from '../ui/requests/use-action.ts';
import { AnswerForm } from './answer-form.tsx';
import { RespondForm } from './respond-form.tsx';

interface InPlaceProps {
  readonly session: Glance;
  readonly wait: OwnerWait;
  /** Address of the page with the details of the task. */
  readonly address: string;
}

/** For each operation that needs no input: the label of the button, and the path of the operation. */
const AT_ONCE: Readonly<Record<string, readonly [label: string, operation: string]>> = {
  start: ['Start', 'start'],
  resume: ['Resume', 'resume'],
  raiseQuota: ['Raise the quota', 'raise-quota'],
};

/** For each kind of task that the owner completes in `StepDialog`: the label of the button that opens the dialog. */
const STEPS: Readonly<Record<string, string>> = {
  APPROVAL: 'Approve…',
  BUILD: 'Authorize the build…',
  DEPLOYMENT: 'Authorize the deployment…',
  ACTIVATION: 'Authorize the activation…',
};

const StepDialog = lazy(async () => (await import('./step-dialog.tsx')).StepDialog);

export function InPlace({ session, wait, address }: InPlaceProps) {
  const isOpen = useSignal(false);
  const action = useAction();
  const close = (): void => {
    isOpen.value = false;
  };
  const toggle = (): void => {
    isOpen.value = !isOpen.value;
  };
  const { session_id } = session;
  const opener = OPENERS[wait.kind];
  const step = STEPS[wait.kind];
  const [label, operation] = AT_ONCE[wait.operation] ?? [];
  // A task of any other kind has no button. `InboxItem` links to the page on which the owner completes it.
  if (!opener && !step && !operation) return null;
  return (
    <>
      <div class="buttons">
        {(opener ?? step) && (
          <WriteButton
            needs={step ? 'approver' : 'operator'}
            class="primary"
            aria-expanded={opener ? isOpen.value : undefined}
            onClick={toggle}
          >
            {opener ?? step}
          </WriteButton>
        )}
        {operation && (
          <WriteButton
            class="primary"
            disabled={action.isBusy}
            onClick={() => void action.run(() => actOn(session_id, operation, wait.payload))}
          >
            {label}
          </WriteButton>
        )}
        {(opener ?? step) && (
          <Link class="button" to={address}>
            Read it
          </Link>
        )}
      </div>
      <Failure error={action.error} />
      {isOpen.value && wait.kind === 'QUESTION' && <AnswerForm sessionId={session_id} questionId={wait.record.id} />}
      {isOpen.value && wait.kind === 'RECOMMENDATION' && (
        <RespondForm sessionId={session_id} recommendationId={wait.record.id} />
      )}
      {isOpen.value && step && <StepDialog sessionId={session_id} kind={wait.kind} onClose={close} />}
    </>
  );
}

/** For each kind of task with a form in the inbox: the label of the button that unfolds the form. */
const OPENERS: Readonly<Record<string, string>> = { QUESTION: 'Answer', RECOMMENDATION: 'Accept or reject' };
