import { useEffect, useMemo } from 'preact/hooks';
import { ContractTab } from '../session/contract/contract-tab.tsx';
import { LogTab } from '../session/log/log-tab.tsx';
import { PeopleTab } from '../session/people/people-tab.tsx';
import { PhaseBar } from '../session/phase-bar.tsx';
import { TranscriptTab } from '../session/transcript/transcript-tab.tsx';
import { VerifyTab } from '../session/verify/verify-tab.tsx';
import { WaitsPanel } from '../session/waits-panel.tsx';
import { isGone, type LiveSession, openSession } from '../state/live-session.ts';
import { TABS, type Tab, toSession, toSessions } from '../state/route.ts';
import { Failure } from '../ui/failure.tsx';
import { LeftOut } from '../ui/left-out.tsx';
import { Link } from '../ui/link.tsx';
import { Badge, roleName, SafeText } from '../ui/shown.tsx';
import { statusTone } from './wording.ts';

interface SessionPageProps {
  readonly sessionId: string;
  readonly tab: Tab;
}

export function SessionPage({ sessionId, tab }: SessionPageProps) {
  const live = useMemo(() => openSession(sessionId), [sessionId]);
  useEffect(() => () => live.close(), [live]);
  const view = live.view.value;
  if (isGone(live.error.value)) return <Gone />;
  if (!view) return live.error.value ? <Failure error={live.error.value} /> : <p class="waiting">Loading…</p>;
  return (
    <article class="session-page">
      <header class="page-head">
        <h1>
          <SafeText text={view.title} />
        </h1>
        <p class="facts">
          <Badge tone={statusTone(view.state.status)}>{view.state.status}</Badge>
          <span>{`round ${view.state.round} of ${view.state.round_limit}`}</span>
          <span>{view.movers.length === 0 ? 'nobody moves' : `next: ${view.movers.map(roleName).join(', ')}`}</span>
          <ConnectionState live={live} />
        </p>
      </header>
      <Failure error={live.error.value} />
      <PhaseBar view={view} />
      <WaitsPanel live={live} view={view} />
      <LeftOut of={view.left_out} />
      <nav class="tabs" aria-label="Parts of the session">
        {TABS.map((name) => (
          <Link key={name} to={toSession(sessionId, name)} current={name === tab}>
            {TAB_NAMES[name]}
          </Link>
        ))}
      </nav>
      <TabContent live={live} tab={tab} />
    </article>
  );
}

/** The page for a session that was erased or never existed. */
function Gone() {
  return (
    <section class="empty">
      <h1>There is no such session</h1>
      <p>It was erased, or it is not yours.</p>
      <p>
        <Link to={toSessions()}>Back to your sessions</Link>
      </p>
    </section>
  );
}

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  transcript: 'Transcript',
  contract: 'Contract',
  verify: 'Verify',
  people: 'People',
  log: 'Log',
};

function TabContent({ live, tab }: { readonly live: LiveSession; readonly tab: Tab }) {
  switch (tab) {
    case 'contract':
      return <ContractTab live={live} />;
    case 'verify':
      return <VerifyTab live={live} />;
    case 'people':
      return <PeopleTab live={live} />;
    case 'log':
      return <LogTab live={live} />;
    default:
      return <TranscriptTab live={live} />;
  }
}

const CONNECTIONS = { connecting: 'connecting…', live: 'live', lost: 'connection lost, trying again…' } as const;

function ConnectionState({ live }: { readonly live: LiveSession }) {
  const state = live.connection.value;
  return (
    <span class={`connection ${state}`} role="status">
      {CONNECTIONS[state]}
    </span>
  );
}
