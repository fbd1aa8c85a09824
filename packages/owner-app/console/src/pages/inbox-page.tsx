import '../styles/inbox.css';
import { counted, plural } from '@parley/core/text';
import {
  idleText,
  inboxOutline,
  isParked,
  mostUrgentFirst,
  needsInvitation,
  nothingText,
  stoppedText,
  taskOf,
  tasksWhileStopped,
  waitsToSettle,
} from '../../../src/text/inbox.ts';
import { shortened, visibleLine } from '../../../src/text/visible.ts';
import type { Glance, OwnerWait } from '../api/answers.ts';
import { leftPlacesOf } from '../api/drafts.ts';
import { useApprovalBrief } from '../session/brief/steps.ts';
import { FindingWords } from '../session/held-finding.tsx';
import { Outline, type OutlineEntry } from '../session/reading/outline.tsx';
import { TaskButtons } from '../session/tasks/waits-panel.tsx';
import { toNew, toSession, toTable } from '../state/route.ts';
import {
  inbox,
  inboxError,
  isComplete,
  isInboxComplete,
  sessions,
  useSessions,
  useSessionsSeldom,
  waiting,
} from '../state/sessions.ts';
import { lastStop } from '../state/stopping.ts';
import { goToElement } from '../ui/controls/browser.ts';
import { Failure, lazy, Pending } from '../ui/requests.tsx';
import { LeftDraft } from '../ui/text/copyable.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { Ago, addressOf, Badge, clock, isTextShown, SafeText, WaitsSince, WaitText } from '../ui/text/shown.tsx';
import { agentIn, notThereText } from './agents.ts';

const ApprovalReading = lazy(async () => (await import('../session/brief/approval-reading.tsx')).ApprovalReading);

const TurnOfQuestion = lazy(async () => (await import('../session/record/turn-of-question.tsx')).TurnOfQuestion);

/** Maximum number of characters of an agent's text in the inbox. */
const SAID_CHARS = 200;

interface InboxItemProps {
  readonly session: Glance;
  readonly wait: OwnerWait;
  /** Whether the session is a draft or paused. Its tasks then block nobody. */
  readonly isParked: boolean;
}

/** The id of the element that shows a task. */
export const placeOf = ({ session_id }: Glance, { wait_id }: OwnerWait): string => `task-${session_id}-${wait_id}`;

/** Shows whether a task stops its session. */
export function TaskMark({ isBlocking }: { readonly isBlocking: boolean }) {
  return <Badge tone={isBlocking ? 'warn' : 'plain'}>{isBlocking ? 'blocks' : 'for you'}</Badge>;
}

/** One task of the owner: its description, who asked, since when, the beginning of the agent's words, and buttons. */
export function InboxItem({ session, wait, isParked }: InboxItemProps) {
  const { kind, text, said, from } = wait;
  const nameOf = (role: string): string => agentIn(session, role);
  const brief = useApprovalBrief(session.session_id, wait, Date.parse(session.updated_at));
  return (
    <li class="inbox-item" id={placeOf(session, wait)}>
      <p class="facts">
        <TaskMark isBlocking={wait.blocking && !isParked} />
        <Link class="task" to={addressOf(session.session_id, wait)}>
          <Task text={taskOf(wait, nameOf)} id={wait.record.id} />
        </Link>
        {from && <span>{nameOf(from)}</span>}
        <WaitsSince wait={wait} />
      </p>
      {said && <SafeText in="p" class="quote" text={shortened(said, SAID_CHARS)} />}
      {isTextShown(wait) && (
        <p class="muted">
          <WaitText text={text} nameOf={nameOf} />
        </p>
      )}
      {brief && <ApprovalReading sessionId={session.session_id} brief={brief} />}
      {kind === 'QUESTION' && <TurnOfQuestion sessionId={session.session_id} questionId={wait.record.id} />}
      {wait.finding_id && <FindingWords sessionId={session.session_id} findingId={wait.finding_id} isInInbox />}
      <TaskButtons
        sessionId={session.session_id}
        live={null}
        wait={wait}
        agents={session.agents ?? []}
        isRead={brief?.unread.length === 0}
      />
    </li>
  );
}

/** The text of a task. If the text ends with `id`, which is the id of a record, the id is shown in small letters. */
function Task({ text, id }: { readonly text: string; readonly id: string }) {
  const isNamed = text.endsWith(` ${id}`);
  return (
    <>
      {isNamed ? text.slice(0, -id.length) : text}
      {isNamed && <small>{id}</small>}
    </>
  );
}

/**
 * A session with its tasks. While the bar above the page offers to resume all stopped sessions, the task to resume a
 * stopped session is left out.
 */
export function InboxGroup({ session }: { readonly session: Glance }) {
  const { session_id, title, phase, left_out } = session;
  const head = `inbox-${session_id}`;
  return (
    <section class="card inbox-group" aria-labelledby={head}>
      <header class="row">
        <h2 id={head}>
          <Link to={toSession(session_id)} text={title} />
        </h2>
        <span class="muted">{session.status === 'ACTIVE' ? phase : `${session.status}, ${phase}`}</span>
      </header>
      <ul>
        {mostUrgentFirst(session.stopped && lastStop.value ? tasksWhileStopped(session) : waitsToSettle(session)).map(
          (wait) => (
            <InboxItem key={wait.wait_id} session={session} wait={wait} isParked={isParked(session)} />
          ),
        )}
      </ul>
      <NotThere session={session} />
      {left_out && (
        <p class="muted">{`${counted(left_out.count, 'more task waits', 'more tasks wait')} in this session.`}</p>
      )}
    </section>
  );
}

/** Shows all absent agents of the session on one line, and why each agent is absent. */
function NotThere({ session }: { readonly session: Glance }) {
  const text = notThereText(session, clock.value);
  return text === '' ? null : <p class="muted">Absent: {text}</p>;
}

/** Up to this number of tasks, the inbox has no outline. */
const MAX_WITHOUT = 3;

/** An outline of the inbox: one entry for each task, with a link to its card. Renders nothing if there are few tasks. */
export function InboxOutline({ sessions }: { readonly sessions: readonly Glance[] }) {
  const tasks = sessions.flatMap((session) =>
    mostUrgentFirst(waitsToSettle(session)).map((wait) => ({ session, wait })),
  );
  if (tasks.length <= MAX_WITHOUT) return null;
  return (
    <Outline
      label="Outline of the inbox"
      heading={inboxOutline(tasks.map(({ wait }) => wait))}
      entries={tasks.map(entryOf)}
      goTo={goToElement}
    />
  );
}

const entryOf = ({ session, wait }: { readonly session: Glance; readonly wait: OwnerWait }): OutlineEntry => ({
  id: placeOf(session, wait),
  mark: <TaskMark isBlocking={wait.blocking} />,
  title: taskOf(wait, (role) => agentIn(session, role)),
  note: (
    <>
      {visibleLine(session.title)}, <Ago at={wait.since} />
    </>
  ),
  parts: [],
});

/** Lists answers that the owner has typed but not sent, to questions that no longer wait for an answer. */
export function LeftAnswers() {
  if (!isInboxComplete.value) return null;
  const open = new Set(
    (waiting.value ?? []).flatMap(({ session_id, waits }) => waits.map(({ record }) => `${session_id} ${record.id}`)),
  );
  const left = leftPlacesOf('answer').filter(({ sessionId, record }) => !open.has(`${sessionId} ${record}`));
  return left.length === 0 ? null : <Left places={left} />;
}

function Left({ places }: { readonly places: ReturnType<typeof leftPlacesOf> }) {
  useSessions();
  if (!isComplete.value) return null;
  const titles = new Map((sessions.value ?? []).map(({ session_id, title }) => [session_id, title]));
  const left = places.map((place) => ({ place, title: titles.get(place.sessionId) ?? 'an erased session' }));
  return (
    <>
      {left.map(({ place, title }) => (
        <LeftDraft key={`${place.sessionId} ${place.record}`} place={place}>
          <code>{place.record}</code> of <Link to={toSession(place.sessionId)} text={title} /> was answered meanwhile,
          in another tab or on the command line, or its session has ended.
        </LeftDraft>
      ))}
    </>
  );
}

/** The first page: all tasks that wait for the owner, in all sessions. */
export function InboxPage() {
  return (
    <div class="stack inbox-page">
      <header class="row page-head">
        <h1>Inbox</h1>
        <Link class="button primary" to={toNew()}>
          New session
        </Link>
      </header>
      <Failure error={inboxError.value} />
      {waiting.value !== null && <Groups />}
      {waiting.value === null && !inboxError.value && <Pending />}
    </div>
  );
}

function Nothing({ absent }: AbsentProps) {
  return (
    <section class="empty">
      <h2>{nothingText(absent, clock.value)}</h2>
      <p>
        <Link to={toTable()}>Look at your sessions</Link>
      </p>
    </section>
  );
}

/** Shown while the inbox is empty. Explains the first step if the owner has no sessions. */
function Empty() {
  useSessions();
  if (sessions.value === null) return <Pending />;
  if (sessions.value.length > 0) return <Nothing absent={[]} />;
  return (
    <section class="empty">
      <p>No session yet. Create one: describe what two agents should agree on, then invite the agents.</p>
      <Link class="button primary" to={toNew()}>
        New session
      </Link>
    </section>
  );
}

interface StoppedProps {
  readonly stopped: readonly Glance[];
  readonly isOpen: boolean;
}

/** The sessions that a *Stop all* paused: those with tasks in full, the others by their titles. */
function Stopped({ stopped, isOpen }: StoppedProps) {
  const withTasks = stopped.filter((session) => tasksWhileStopped(session).length > 0);
  const others = stopped.filter((session) => tasksWhileStopped(session).length === 0);
  return (
    <details class="parked" open={isOpen}>
      <summary class="strong">{stoppedText(stopped)}</summary>
      <div class="stack">
        {withTasks.map((session) => (
          <InboxGroup key={session.session_id} session={session} />
        ))}
      </div>
      {others.length > 0 && (
        <ul class="bullets" aria-label="Stopped sessions without tasks">
          {others.map(({ session_id, title }) => (
            <li key={session_id}>
              <Link to={toSession(session_id)} text={title} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

interface AbsentProps {
  readonly absent: readonly Glance[];
}

/** The sessions with absent agents. The list is open for those that stop until the owner invites an agent. */
function Absent({ absent }: AbsentProps) {
  const locked = absent.filter((session) => needsInvitation(session, clock.value));
  const others = absent.filter((session) => !locked.includes(session));
  return (
    <>
      {locked.length > 0 && (
        <details class="parked" open>
          <summary class="strong">
            {counted(locked.length, 'session stops', 'sessions stop')} until an invited agent joins
          </summary>
          <AbsentList absent={locked} />
        </details>
      )}
      {others.length > 0 && (
        <details class="parked">
          <summary>{plural(others.length, 'session')} with absent agents</summary>
          <AbsentList absent={others} />
        </details>
      )}
    </>
  );
}

const AbsentList = ({ absent }: AbsentProps) => (
  <ul class="bullets">
    {absent.map((session) => (
      <li key={session.session_id}>
        <Link to={toSession(session.session_id, 'people')} text={session.title} />{' '}
        <span class="muted">{notThereText(session, clock.value)}</span>
      </li>
    ))}
  </ul>
);

/** How many sessions are idle, with the table that lists them. Idle sessions have no task, so the lists do not contain them. */
function Idle() {
  useSessionsSeldom();
  const text = idleText(sessions.value ?? [], clock.value);
  return text === '' ? null : (
    <p class="muted">
      {`${text}. `}
      <Link to={`${toTable()}?idle=60&order=up`}>List them</Link>
    </p>
  );
}

function Groups() {
  const { open, absent, stopped, parked } = inbox.value;
  return (
    <>
      <LeftAnswers />
      {open.length + stopped.length === 0 &&
        (absent.length + parked.length > 0 ? <Nothing absent={absent} /> : <Empty />)}
      <div class="reading-box">
        <div class="stack reading-grid">
          <InboxOutline sessions={open} />
          <div class="stack">
            {open.map((session) => (
              <InboxGroup key={session.session_id} session={session} />
            ))}
          </div>
        </div>
      </div>
      {stopped.length > 0 && <Stopped stopped={stopped} isOpen={open.length === 0} />}
      <Absent absent={absent} />
      <Idle />
      {parked.length > 0 && (
        <details class="parked">
          <summary>{counted(parked.length, 'draft or paused session', 'drafts and paused sessions')}</summary>
          <div class="stack">
            {parked.map((session) => (
              <InboxGroup key={session.session_id} session={session} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
