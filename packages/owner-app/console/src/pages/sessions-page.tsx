import type { Glance } from '../api/types.ts';
import { nextAfter, overviewError, readOlder, sessions, type Waiting, waiting } from '../state/overview.ts';
import { toNew, toSession } from '../state/route.ts';
import { Failure } from '../ui/failure.tsx';
import { Link } from '../ui/link.tsx';
import { Badge, roleName, SafeText, When } from '../ui/shown.tsx';
import { statusTone, tabFor } from './wording.ts';

export function SessionsPage() {
  const all = sessions.value;
  return (
    <div class="sessions-page">
      <header class="page-head">
        <h1>Sessions</h1>
        <Link class="button primary" to={toNew()}>
          New session
        </Link>
      </header>
      <Failure error={overviewError.value} />
      <WaitingList />
      {all === null ? <p class="waiting">Loading…</p> : <SessionList all={all} />}
    </div>
  );
}

/** The list of all tasks that wait for the owner, in all sessions. */
function WaitingList() {
  const list = waiting.value;
  if (list.length === 0) return null;
  return (
    <section class="card waits" aria-labelledby="waits-head">
      <h2 id="waits-head">Waits for you</h2>
      <ul>
        {list.map((wait) => (
          <WaitingItem key={`${wait.session.session_id} ${wait.wait_id}`} wait={wait} />
        ))}
      </ul>
    </section>
  );
}

function WaitingItem({ wait }: { readonly wait: Waiting }) {
  const { session, blocking, text, kind } = wait;
  return (
    <li>
      <Badge tone={blocking ? 'warn' : 'plain'}>{blocking ? 'blocks' : 'for you'}</Badge>
      <Link to={toSession(session.session_id, tabFor(kind))}>
        <SafeText text={session.title} />
      </Link>
      <span>{text}</span>
    </li>
  );
}

function SessionList({ all }: { readonly all: readonly Glance[] }) {
  if (all.length === 0)
    return (
      <section class="empty">
        <p>No session yet. Describe what two agents shall agree on, and invite them.</p>
        <Link class="button primary" to={toNew()}>
          New session
        </Link>
      </section>
    );
  return (
    <>
      <ul class="session-list">
        {all.map((session) => (
          <SessionItem key={session.session_id} session={session} />
        ))}
      </ul>
      {nextAfter.value !== null && (
        <button type="button" onClick={() => void readOlder()}>
          Older sessions
        </button>
      )}
    </>
  );
}

function SessionItem({ session }: { readonly session: Glance }) {
  const { session_id, title, status, phase, movers, updated_at, waits, fault, left_out } = session;
  const waiting = waits.length + (left_out?.count ?? 0);
  return (
    <li class="card session-item">
      <h2>
        <Link to={toSession(session_id)}>
          <SafeText text={title} />
        </Link>
      </h2>
      <p class="facts">
        <Badge tone={statusTone(status)}>{status}</Badge>
        <span>{phase}</span>
        <span>
          {fault?.text ?? (movers.length === 0 ? 'nobody moves' : `next: ${movers.map(roleName).join(', ')}`)}
        </span>
        <span>
          changed <When at={updated_at} />
        </span>
        {waiting > 0 && <Badge tone="warn">{`${waiting} for you`}</Badge>}
      </p>
    </li>
  );
}
