import { counted } from '@parley/core/text';
import { isParked, mostUrgentFirst, waitsToSettle } from '../../../src/text/inbox.ts';
import { tasksWhileStopped } from '../../../src/text/stopped-sessions.ts';
import type { Glance } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { toSession } from '../state/route.ts';
import { lastStop } from '../state/stopping.ts';
import { Link } from '../ui/text/link.tsx';
import { SafeText } from '../ui/text/shown.tsx';
import { notThereText } from './agents.ts';
import { InboxItem } from './inbox-item.tsx';

/**
 * A session with its tasks. While the bar above the page offers to resume all stopped sessions, the task to resume a
 * stopped session is left out.
 */
export function InboxGroup({ session }: { readonly session: Glance }) {
  const { session_id, title, phase, left_out } = session;
  const head = `inbox-${session_id}`;
  return (
    <section class="card inbox-group" aria-labelledby={head}>
      <header>
        <h2 id={head}>
          <Link to={toSession(session_id)}>
            <SafeText text={title} />
          </Link>
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
