import type { SessionInput } from '@parley/core/client';
import { useSignal } from '@preact/signals';
import type { Agent } from '../../../../src/text/agent.ts';
import type { Invitation, OwnerWait } from '../../api/types.ts';
import { clock } from '../../state/clock.ts';
import { actOn } from '../../state/inbox.ts';
import type { Act, LiveSession } from '../../state/live-session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { lazy } from '../../ui/requests/lazy.tsx';
import { type Action, useAction } from '../../ui/requests/use-action.ts';
import { Link } from '../../ui/text/link.tsx';
import { answerPlace, notePlace } from '../answers/draft-places.ts';
import { buttonsOf, type Called, type TaskButton, type TaskForm } from './buttons-of.ts';

interface TaskButtonsProps {
  readonly sessionId: string;
  /** The session on whose page the task is shown. Null in the inbox, which does not load the session. */
  readonly live: LiveSession | null;
  readonly wait: OwnerWait;
  /** The agents of the session. */
  readonly agents: readonly Agent[];
  /** The forms that the page offers elsewhere. No button of the task opens them a second time. */
  readonly offered?: readonly TaskForm[];
  /** Whether the owner has read all of the revision to approve. */
  readonly isRead?: boolean;
}

// The code of the forms and dialogs is loaded when one of them is opened for the first time.
const AnswerForm = lazy(async () => (await import('../answers/answer-form.tsx')).AnswerForm);
const RespondForm = lazy(async () => (await import('../answers/respond-form.tsx')).RespondForm);
const InviteButton = lazy(async () => (await import('../people/invite-button.tsx')).InviteButton);
const TaskDialog = lazy(async () => (await import('./task-dialog.tsx')).TaskDialog);

/** The buttons of a task, and the form or dialog that one of them has opened. */
export function TaskButtons({ sessionId, live, wait, agents, offered = [], isRead = false }: TaskButtonsProps) {
  const opened = useSignal<TaskForm | null>(null);
  const action = useAction();
  const act: Act = live ? live.act : (name, input) => actOn(sessionId, name, input);
  const close = (): void => {
    opened.value = null;
  };
  const buttons = buttonsOf(sessionId, wait, { agents, isRead, nowMs: clock.value });
  const shown = buttons.filter((button) => button.does !== 'open' || !offered.includes(button.form));
  return (
    <>
      <div class="buttons">
        {shown.map((button) => (
          <OneButton
            key={button.label}
            sessionId={sessionId}
            button={button}
            isFirst={button === buttons[0]}
            opened={opened.value}
            action={action}
            onCall={(operation) => act(operation, wait.payload as SessionInput<typeof operation>)}
            onInvite={() => act('invite', wait.payload as SessionInput<'invite'>)}
            onOpen={(form) => {
              opened.value = opened.value === form ? null : form;
            }}
          />
        ))}
      </div>
      <Failure error={action.error} />
      {opened.value === 'answer' && <AnswerForm place={answerPlace(sessionId, wait.record.id)} isFocused act={act} />}
      {opened.value === 'respond' && <RespondForm place={notePlace(sessionId, wait.record.id)} act={act} />}
      {opened.value !== null && !isInline(opened.value) && (
        <TaskDialog sessionId={sessionId} live={live} wait={wait} form={opened.value} onClose={close} />
      )}
    </>
  );
}

/** Whether a form is shown below the buttons. Other forms are dialogs. */
const isInline = (form: TaskForm): boolean => form === 'answer' || form === 'respond';

interface OneButtonProps {
  readonly sessionId: string;
  readonly button: TaskButton;
  readonly isFirst: boolean;
  readonly opened: TaskForm | null;
  readonly action: Action;
  readonly onCall: (operation: Called) => Promise<unknown>;
  readonly onInvite: () => Promise<Invitation>;
  readonly onOpen: (form: TaskForm) => void;
}

function OneButton({ sessionId, button, isFirst, opened, action, onCall, onInvite, onOpen }: OneButtonProps) {
  if (button.does === 'go')
    return (
      <Link class={isFirst ? 'button primary' : 'button'} to={button.to}>
        {button.label}
      </Link>
    );
  if (button.does === 'confirm')
    return <ConfirmButton label={button.label} question={button.question} onConfirm={() => onCall(button.operation)} />;
  if (button.does === 'invite')
    return <InviteButton {...button} sessionId={sessionId} isPrimary={isFirst} invite={onInvite} />;
  const isForm = button.does === 'open' && isInline(button.form);
  return (
    <WriteButton
      needs={button.needs}
      class={isFirst ? 'primary' : undefined}
      aria-expanded={isForm ? opened === button.form : undefined}
      disabled={button.does !== 'open' && action.isBusy}
      onClick={() => {
        if (button.does === 'open') onOpen(button.form);
        else void action.run(() => onCall(button.operation));
      }}
    >
      {button.label}
    </WriteButton>
  );
}
