import { counted, plural } from '@parley/core/text';
import { needsInvitation, nothingText } from '../../../src/text/inbox.ts';
import { idleText, stoppedText, tasksWhileStopped } from '../../../src/text/stopped-sessions.ts';
import type { Glance } from '../api/types.ts';
import { notThereText } from '../inbox/agents.ts';
import { InboxGroup } from '../inbox/inbox-group.tsx';
import { InboxOutline } from '../inbox/inbox-outline.tsx';
import { LeftAnswers } from '../inbox/left-answers.tsx';
import { clock } from '../state/clock.ts';
import { inbox, inboxError, waiting } from '../state/inbox.ts';
import { sessions, useSessions, useSessionsSeldom } from '../state/overview.ts';
import { toNew, toSession, toTable } from '../state/route.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { Link } from '../ui/text/link.tsx';
import { SafeText } from '../ui/text/shown.tsx';
import '../styles/inbox.css';

/** The first page: all tasks that wait for the owner, in all sessions. */
export function InboxPage() {
  return (
    <div class="inbox-page">
      <header class="page-head">
        <h1>Inbox</h1>
        <Link class="button primary" to={toNew()}>
          New session
        </Link>
      </header>
      <Failure error={inboxError.value} />
      {waiting.value !== null && <Groups />}
      {waiting.value === null && !inboxError.value && <p class="waiting">Loading…</p>}
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
  if (sessions.value === null) return <p class="waiting">Loading…</p>;
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
      <div class="inbox-groups">
        {withTasks.map((session) => (
          <InboxGroup key={session.session_id} session={session} />
        ))}
      </div>
      {others.length > 0 && (
        <ul class="not-there" aria-label="Stopped sessions without tasks">
          {others.map(({ session_id, title }) => (
            <li key={session_id}>
              <Link to={toSession(session_id)}>
                <SafeText text={title} />
              </Link>
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
  <ul class="not-there">
    {absent.map((session) => (
      <li key={session.session_id}>
        <Link to={toSession(session.session_id, 'people')}>
          <SafeText text={session.title} />
        </Link>{' '}
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
        <div class="reading-grid">
          <InboxOutline sessions={open} />
          <div class="inbox-groups">
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
          <div class="inbox-groups">
            {parked.map((session) => (
              <InboxGroup key={session.session_id} session={session} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
