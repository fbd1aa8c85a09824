import { plural } from '@parley/core/text';
import { useEffect, useState } from 'preact/hooks';
import { recordPath } from '../../../src/text/record-address.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import type { GroupView } from '../api/answers.ts';
import { usePageTitle } from '../state/page-title.ts';
import { search, toNew, toSession } from '../state/route.ts';
import { Failure, useCall } from '../ui/requests.tsx';
import { Link } from '../ui/text/linked-text.tsx';
import { Badge, SafeText, statusTone } from '../ui/text/shown.tsx';
import { Movers } from './sessions-page.tsx';

type GroupSession = GroupView['sessions'][number];

/** Milliseconds between two reads. An event of one session does not say in which group it is. */
const READ_MS = 15_000;

/** The page with the sessions of a group. The name of the group is part of its address. */
export function GroupPage() {
  const name = new URLSearchParams(search.value).get('name') ?? '';
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setVersion((before) => before + 1), READ_MS);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = useCall('group', { name }, version);
  usePageTitle(`Group ${visibleLine(name)}`);
  const sessions = value?.sessions ?? [];
  const ready = sessions.filter(({ stops }) => stops.length === 0).length;
  return (
    <div class="stack">
      <header class="row page-head">
        <h1>
          Group <SafeText text={sessions[0]?.session.group ?? name} />
        </h1>
        {value && (
          <Link class="button" to={toNew(name)}>
            New session in this group
          </Link>
        )}
      </header>
      <Failure error={error} />
      <p class="muted" role="status">
        {value
          ? `${plural(sessions.length, 'session')}, ${ready === 1 ? '1 is' : `${ready} are`} certified or deployed.`
          : !error && 'Loading…'}
      </p>
      {sessions.map((one) => (
        <SessionCard key={one.session.session_id} of={one} />
      ))}
    </div>
  );
}

function SessionCard({
  of: { session, contract, certified, deployment_authorized, stops },
}: {
  readonly of: GroupSession;
}) {
  const { session_id, title, status, phase, fault } = session;
  return (
    <section class="card stack" aria-label={visibleLine(title)}>
      <h2>
        <Link to={toSession(session_id)} text={title} />
      </h2>
      <p class="facts">
        <span class="phase">{phase}</span>
        {status !== 'ACTIVE' && <Badge tone={statusTone(status)}>{status}</Badge>}
        {deployment_authorized ? (
          <Badge tone="good">deployment authorized</Badge>
        ) : (
          certified && <Badge tone="good">certified</Badge>
        )}
      </p>
      {fault ? <p>{fault.text}</p> : <Movers session={session} />}
      <p>
        {contract ? (
          <>
            <Link to={recordPath(session_id, contract.revision_id)}>Read the contract</Link>{' '}
            {`${contract.revision_id}, ${contract.status}`}
          </>
        ) : (
          'There is no contract yet.'
        )}
      </p>
      {stops.length > 0 && (
        <>
          <h3>What stops the release</h3>
          <ul class="bullets">
            {stops.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
