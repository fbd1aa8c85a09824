import type { SessionInput } from '@parley/core/client';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Agent, absentText, canCall } from '../../../../src/text/agent.ts';
import { countedWaits, foldedAbsences, mostUrgentFirst, taskOf, waitsToSettle } from '../../../../src/text/inbox.ts';
import { shortened } from '../../../../src/text/visible.ts';
import type { Invitation, OwnerWait, SessionView } from '../../api/answers.ts';
import { answerPlace, notePlace } from '../../api/drafts.ts';
import type { Act, LiveSession, SessionProps } from '../../state/live-session.ts';
import type { Tab } from '../../state/route.ts';
import { actOn } from '../../state/sessions.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton, WriteButton } from '../../ui/controls/buttons.tsx';
import { type Action, Failure, lazy, useAction } from '../../ui/requests.tsx';
import { Link } from '../../ui/text/linked-text.tsx';
import { Badge, clock, isTextShown, Role, roleName, SafeText, WaitsSince, WaitText } from '../../ui/text/shown.tsx';
import { decisionOf, useApprovalBrief } from '../brief/steps.ts';
import { FindingWords } from '../held-finding.tsx';
import { buttonsOf, type Called, type TaskButton, type TaskForm } from './buttons-of.ts';

const TellAgent = lazy(async () => (await import('../tell-agent.tsx')).TellAgent);

/** The text to paste to a connected agent so that it continues. Renders nothing for an agent that must be invited first. */
export function WhatToTell({ agent }: { readonly agent: SessionView['agents'][number] | undefined }) {
  if (!agent || !canCall(agent, clock.value)) return null;
  return (
    <details>
      <summary>What to tell the agent</summary>
      <TellAgent />
    </details>
  );
}

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
const AnswerForm = lazy(async () => (await import('../answer-forms.tsx')).AnswerForm);
const RespondForm = lazy(async () => (await import('../answer-forms.tsx')).RespondForm);
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

// The code is loaded with the first approval, because most pages of a session have none.
const ApprovalReading = lazy(async () => (await import('../brief/approval-reading.tsx')).ApprovalReading);

// The code is loaded with the first decision of a session with few steps.
const Decision = lazy(async () => (await import('./decision.tsx')).Decision);

interface WaitsPanelProps extends SessionProps {
  readonly tab: Tab;
}

/**
 * The owner's tasks in this session, each with its buttons. The heading is "Waits for you" or, if the session is DRAFT
 * or PAUSED, another text, because the tasks are then not urgent. Tasks about absent agents are on a separate card.
 */
export function WaitsPanel(props: WaitsPanelProps) {
  const { view } = props;
  return (
    <>
      <Waits {...props} title={TITLES[view.state.status]} waits={mostUrgentFirst(waitsToSettle(view))} />
      <Absent {...props} />
    </>
  );
}

/**
 * In a window of at most this width, the card about absent agents is folded, so that the tabs are nearer to the top. The fold says
 * why each agent is absent.
 */
const NARROW = matchMedia('(max-width: 32rem)');

function Absent(props: WaitsPanelProps) {
  const waits = foldedAbsences(props.view);
  const title = 'Absent agents';
  if (!NARROW.matches || waits.length === 0) return <Waits {...props} title={title} waits={waits} />;
  const absent = props.view.agents
    .filter(({ role }) => waits.some(({ record }) => record.id === role))
    .map((agent) => ({ ...agent, display_name: agent.name }));
  return (
    <details>
      <summary>{`${title}: ${absentText(absent, clock.value)}`}</summary>
      <Waits {...props} title={title} waits={waits} />
    </details>
  );
}

const TITLES = {
  DRAFT: 'Before the start',
  ACTIVE: 'Waits for you',
  PAUSED: 'During the pause',
  ENDED: 'Waits for you',
} as const;

interface WaitsProps extends WaitsPanelProps {
  readonly title: string;
  readonly waits: readonly OwnerWait[];
}

/** A card with tasks. Renders nothing if there are none. */
function Waits({ title, waits, ...page }: WaitsProps) {
  const head = useId();
  if (waits.length === 0) return null;
  return (
    <Card class="card waits" head={head} title={title}>
      <ul>
        {waits.map((wait) => (
          <Wait key={wait.wait_id} {...page} wait={wait} />
        ))}
      </ul>
    </Card>
  );
}

/** Maximum number of characters of an agent's text that is shown unfolded. */
const SHORT_CHARS = 300;

/**
 * The forms that a tab contains outside the cards of the tasks. While the tab is open, the cards have no buttons for these
 * forms.
 */
const OFFERED: Readonly<Partial<Record<Tab, readonly TaskForm[]>>> = {
  transcript: ['answer'],
  contract: ['approve', 'requestChanges'],
};

/** The forms that a decision contains. */
const DECIDED: readonly TaskForm[] = ['approve', 'authorize'];

function Wait({ live, view, tab, wait }: WaitsPanelProps & { readonly wait: OwnerWait }) {
  const { blocking, from, text } = wait;
  const brief = useApprovalBrief(live.sessionId, wait, live.version.value);
  const decision = decisionOf(view, wait.kind);
  const isCounted = countedWaits({ status: view.state.status, waits: [wait] }).length > 0;
  const buttons = (
    <TaskButtons
      sessionId={live.sessionId}
      live={live}
      wait={wait}
      agents={view.agents}
      offered={decision ? DECIDED : (OFFERED[tab] ?? [])}
      isRead={brief?.unread.length === 0}
    />
  );
  return (
    <li>
      <p class="facts">
        {isCounted && <Badge tone={blocking ? 'warn' : 'plain'}>{blocking ? 'blocks' : 'for you'}</Badge>}
        <strong class="task">{taskOf(wait, roleName)}</strong>
        {from && <Role of={from} />}
        <WaitsSince wait={wait} />
      </p>
      {isTextShown(wait) && (
        <p>
          <WaitText text={text} nameOf={roleName} />
        </p>
      )}
      {wait.kind === 'RESUME' && <PauseReason live={live} />}
      {!(tab === 'transcript' && wait.kind === 'QUESTION') && <Said texts={wordsOf(view, wait)} />}
      {wait.finding_id && (
        <FindingWords sessionId={live.sessionId} version={live.version.value} findingId={wait.finding_id} />
      )}
      {wait.kind === 'AGENT_ABSENT' && <WhatToTell agent={view.agents.find(({ role }) => role === wait.record.id)} />}
      {brief && !decision && tab !== 'contract' && <ApprovalReading sessionId={live.sessionId} brief={brief} />}
      {decision ? (
        <Decision live={live} view={view} wait={wait} stage={decision}>
          {buttons}
        </Decision>
      ) : (
        buttons
      )}
    </li>
  );
}

/** Shows why the session was paused. Renders nothing until the event of the pause is loaded. */
function PauseReason({ live }: { readonly live: LiveSession }) {
  const pause = live.events.value.findLast((event) => event.kind === 'session.paused');
  return pause?.body.reason ? <Said texts={[pause.body.reason]} /> : null;
}

/** Returns what an agent wrote about a task. For a BLOCKED report, returns the reported blockers. */
function wordsOf({ readiness }: SessionView, { kind, said }: OwnerWait): readonly string[] {
  if (said) return [said];
  return kind === 'REPORTED_BLOCKED' ? readiness.flatMap(({ blockers }) => blockers) : [];
}

function Said({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text) =>
        text.length <= SHORT_CHARS ? (
          <SafeText key={text} in="p" class="reply" text={text} />
        ) : (
          <details key={text}>
            <summary>
              <SafeText text={shortened(text, SHORT_CHARS)} />
            </summary>
            <SafeText in="p" class="reply" text={text} />
          </details>
        ),
      )}
    </>
  );
}
