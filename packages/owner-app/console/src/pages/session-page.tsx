import { useEffect, useMemo } from 'preact/hooks';
import { countedWaits } from '../../../src/text/inbox.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import { useAgentNames } from '../session/agent-names.ts';
import { BuildProgress } from '../session/build-progress.tsx';
import { EndReason } from '../session/end-reason.tsx';
import { useIdLinks } from '../session/id-links.ts';
import { PhaseBar } from '../session/phase-bar.tsx';
import { Presence } from '../session/presence.tsx';
import { forgetParts } from '../session/shown-parts.ts';
import { WaitsPanel } from '../session/tasks/waits-panel.tsx';
import { TranscriptTab } from '../session/transcript/transcript-tab.tsx';
import { WhoseMove } from '../session/whose-move.tsx';
import { waiting } from '../state/inbox.ts';
import { isGone, type LiveSession, openSession } from '../state/live-session.ts';
import { markedWords } from '../state/marked-words.ts';
import { usePageTitle } from '../state/page-title.ts';
import { TABS, type Tab, toGroup, toInbox, toSession } from '../state/route.ts';
import { closePanel, followAddress, forgetEntries, openedId } from '../state/side-panel.ts';
import { FailedPage, Failure } from '../ui/requests/failure.tsx';
import { lazy } from '../ui/requests/lazy.tsx';
import { LeftOut } from '../ui/text/left-out.tsx';
import { Link } from '../ui/text/link.tsx';
import { IdLinksContext } from '../ui/text/linked-text.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { sessionTitle, statusTone } from '../ui/text/wording.ts';

interface SessionPageProps {
  readonly sessionId: string;
  readonly tab: Tab;
  /** The id of the record in the side panel, such as `d_4`. Null if the address contains no record. */
  readonly record: string | null;
}

/** The side panel for a record. Its code is loaded when a record is opened for the first time. */
const RecordPanel = lazy(
  async () => (await import('../session/record/record-panel.tsx')).RecordPanel,
  () => null,
);

/** Its code is loaded when the address contains words to highlight. */
const MarkWords = lazy(
  async () => (await import('../session/mark-words.tsx')).MarkWords,
  () => null,
);

const SaveButtons = lazy(
  async () => (await import('../session/log/save-buttons.tsx')).SaveButtons,
  () => null,
);

export function SessionPage({ sessionId, tab, record }: SessionPageProps) {
  const live = useMemo(() => openSession(sessionId), [sessionId]);
  useEffect(() => () => live.close(), [live]);
  const view = live.view.value;
  useAgentNames(view);
  usePageTitle(
    view ? sessionTitle(view) : null,
    view ? countedWaits({ status: view.state.status, waits: view.waits }).length : undefined,
  );
  const links = useIdLinks(view);
  useEffect(() => followAddress(record), [record]);
  useEffect(() => forgetEntries, [sessionId]);
  useEffect(() => forgetParts, [sessionId]);
  const opened = openedId.value;
  if (isGone(live.error.value)) return <Gone />;
  if (!view)
    return live.error.value ? (
      <FailedPage
        title={`The session ${titleInInbox(sessionId)} could not be loaded`}
        error={live.error.value}
        onRetry={live.readAgain}
      />
    ) : (
      <p class="waiting">Loading…</p>
    );
  return (
    <IdLinksContext.Provider value={links}>
      <article class="session-page">
        <header class="page-head">
          <h1>
            <SafeText text={view.title} />
          </h1>
          <p class="facts">
            <Badge tone={statusTone(view.state.status)}>{view.state.status}</Badge>
            {view.state.status === 'ENDED' && <EndReason live={live} />}
            {view.group !== undefined && (
              <Link to={toGroup(view.group)}>
                Group <SafeText text={view.group} />
              </Link>
            )}
            <span>{`round ${view.state.round} of ${view.state.round_limit}`}</span>
            {view.profile !== 'full' && <span>{`profile ${view.profile}`}</span>}
            {view.state.status === 'ENDED' ? (
              <>
                <Link to={`${toSession(sessionId, 'log')}#report`}>Read the report</Link>
                {tab !== 'log' && <SaveButtons sessionId={sessionId} files={['html']} />}
              </>
            ) : (
              <>
                <BuildProgress of={view.build_progress} />
                <ConnectionState live={live} />
              </>
            )}
          </p>
        </header>
        <Failure error={live.error.value} />
        <PhaseBar view={view} />
        <Presence view={view} />
        <WhoseMove view={view} />
        <WaitsPanel live={live} view={view} tab={tab} />
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
      {markedWords.value.length > 0 && <MarkWords />}
      {opened !== null && <RecordPanel live={live} id={opened} onClose={closePanel} />}
    </IdLinksContext.Provider>
  );
}

/** The title of a session that is in the inbox, in quotation marks. The id of any other session. */
function titleInInbox(sessionId: string): string {
  const found = waiting.value?.find(({ session_id }) => session_id === sessionId);
  return found ? `“${visibleLine(found.title)}”` : sessionId;
}

/** Shown if the session does not exist, was erased or belongs to another owner. */
function Gone() {
  return (
    <section class="empty">
      <h1>There is no such session</h1>
      <p>The address is wrong, the session was erased, or the session belongs to another owner.</p>
      <p>
        <Link to={toInbox()}>Back to your inbox</Link>
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

/** The code of a tab is loaded when the tab is shown for the first time. */
const ContractTab = lazy(async () => (await import('../session/contract/contract-tab.tsx')).ContractTab);
const VerifyTab = lazy(async () => (await import('../session/verify/verify-tab.tsx')).VerifyTab);
const PeopleTab = lazy(async () => (await import('../session/people/people-tab.tsx')).PeopleTab);
const LogTab = lazy(async () => (await import('../session/log/log-tab.tsx')).LogTab);

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

/** Shows whether the page receives the events of the session. */
function ConnectionState({ live }: { readonly live: LiveSession }) {
  const state = live.connection.value;
  return (
    <span class={`connection ${state}`} role="status">
      {CONNECTIONS[state]}
    </span>
  );
}
