import type { FunctionComponent } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { hindranceOf } from '../../../src/text/agent.ts';
import { absentRoles, actingIn, countedWaits, nextSteps, nobodyText } from '../../../src/text/inbox.ts';
import { agoText } from '../../../src/text/time.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import type { SessionView } from '../api/answers.ts';
import { isViewHeldUp, Presence, useAgentNames } from '../session/agents.tsx';
import { hasFewSteps } from '../session/brief/steps.ts';
import { useIdLinks } from '../session/id-links.ts';
import { forgetParts } from '../session/shown-parts.ts';
import { WaitsPanel, WhatToTell } from '../session/tasks/waits-panel.tsx';
import { TranscriptTab } from '../session/transcript/transcript-tab.tsx';
import { isGone, type LiveSession, openSession } from '../state/live-session.ts';
import { usePageTitle } from '../state/page-title.ts';
import {
  closePanel,
  followAddress,
  forgetEntries,
  markedWords,
  openedId,
  TABS,
  type Tab,
  toGroup,
  toInbox,
  toSession,
} from '../state/route.ts';
import { waiting } from '../state/sessions.ts';
import { Failure, lazy, UnreadPage } from '../ui/requests.tsx';
import { IdLinksContext, Link, LinkedText } from '../ui/text/linked-text.tsx';
import { Badge, clock, LeftOut, Role, roleName, SafeText, sessionTitle, statusTone } from '../ui/text/shown.tsx';

/** How many tasks of the contract are done, while the build is in progress. Renders nothing at other times. */
function BuildProgress({ of: progress }: { readonly of: SessionView['build_progress'] }) {
  if (!progress) return null;
  const { tasks, done, last_done_at: last } = progress;
  const ago = last === null ? '' : `, last ${agoText(last, clock.value)}`;
  return <span class="build-progress">{`build: ${done} of ${tasks} tasks done${ago}`}</span>;
}

/** Shows whether an ended session was completed or cancelled. Renders nothing until the event of the end is loaded. */
function EndReason({ live }: TabProps) {
  const end = live.events.value.findLast((event) => event.kind === 'session.ended');
  const reason = end?.body.end_reason;
  return reason && <Badge tone={reason === 'COMPLETED' ? 'good' : 'warn'}>{reason}</Badge>;
}

const PHASES = [
  ['PLANNING', 'Planning', 'both agents name the same Contract Author, or you appoint one'],
  ['CONTRACT', 'Contract', 'nothing blocks the latest revision, and you approve it'],
  [
    'READINESS',
    'Readiness',
    "both agents report READY_TO_CODE and confirm each other's answers, and you authorize the build",
  ],
  ['VERIFY', 'Verify', 'every certification check passes, and you authorize the deployment'],
  ['RELEASE', 'Release', 'every certification check still passes, and you authorize the activation'],
] as const;

/** In a session with few steps, what the other phases need. */
const FEW: Readonly<Partial<Record<string, string>>> = {
  READINESS: 'you authorize the build',
  VERIFY: 'every certification check passes, and you release, which ends the session',
  RELEASE: 'every certification check still passes, and you release, which ends the session',
};

/** Shows all phases with the current one marked, and what is missing for the next gate. */
function PhaseBar({ view }: { readonly view: SessionView }) {
  const { phase, status, authorizations } = view.state;
  const present = PHASES.findIndex(([name]) => name === phase);
  const need = (hasFewSteps(view) && FEW[phase]) || PHASES[present]?.[2];
  const isDone = authorizations.activation_authorized || status === 'ENDED';
  return (
    <section class="phase-bar" aria-label="Phases">
      <ol>
        {PHASES.map(([name, title], index) => (
          <li
            key={name}
            class={index < present || (index === present && isDone) ? 'done' : index === present ? 'now' : 'later'}
            aria-current={index === present ? 'step' : undefined}
          >
            <span>{title}</span>
          </li>
        ))}
      </ol>
      {!isDone && need && <p class="gate">This phase ends when {need}.</p>}
    </section>
  );
}

interface WhoseMoveProps {
  readonly view: SessionView;
}

/** Maximum number of the owner's tasks that are named. Further tasks are only counted. */
const NAMED_TASKS = 3;

/** Shows which roles must act in the session, and what each of them must do. Renders nothing after the end. */
function WhoseMove({ view }: WhoseMoveProps) {
  const { status } = view.state;
  if (status === 'ENDED') return null;
  const steps = nextSteps(actingIn(view), roleName, NAMED_TASKS);
  return (
    <ul class="whose-move" aria-label="Who has to act">
      {steps.map(({ role, text }) => (
        <li key={role}>
          next: <Role of={role} isMine={role === 'owner'} />: <LinkedText text={text} />
          <TellIdle view={view} role={role} />
        </li>
      ))}
      {steps.length === 0 && <li>{`next: ${nobodyText(status)}`}</li>}
    </ul>
  );
}

/** The text to paste to an idle agent, if it holds the session up. The card of an absent agent has this text already. */
function TellIdle({ view, role }: WhoseMoveProps & { readonly role: string }) {
  const agent = view.agents.find((one) => one.role === role);
  if (!agent || absentRoles(view).includes(role) || hindranceOf(agent, clock.value) !== 'idle') return null;
  return isViewHeldUp(view) ? <WhatToTell agent={agent} /> : null;
}

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
  const [, TabContent] = TAB_PARTS[tab];
  if (isGone(live.error.value)) return <Gone />;
  if (!view)
    return (
      <UnreadPage
        title={`The session ${titleInInbox(sessionId)} could not be loaded`}
        error={live.error.value}
        onRetry={live.readAgain}
      />
    );
  return (
    <IdLinksContext.Provider value={links}>
      <article class="stack session-page">
        <header class="row page-head">
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
              {TAB_PARTS[name][0]}
            </Link>
          ))}
        </nav>
        <TabContent live={live} />
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

interface TabProps {
  readonly live: LiveSession;
}

/** The name and the content of each tab. The code of a tab is loaded when the tab is shown for the first time. */
const TAB_PARTS: Readonly<Record<Tab, readonly [name: string, Content: FunctionComponent<TabProps>]>> = {
  transcript: ['Transcript', TranscriptTab],
  contract: ['Contract', lazy(async () => (await import('../session/contract/contract-tab.tsx')).ContractTab)],
  verify: ['Verify', lazy(async () => (await import('../session/verify/verify-tab.tsx')).VerifyTab)],
  people: ['People', lazy(async () => (await import('../session/people/people-tab.tsx')).PeopleTab)],
  log: ['Log', lazy(async () => (await import('../session/log/log-tab.tsx')).LogTab)],
};

const CONNECTIONS = { connecting: 'connecting…', live: 'live', lost: 'connection lost, trying again…' } as const;

/** Shows whether the page receives the events of the session. */
function ConnectionState({ live }: TabProps) {
  const state = live.connection.value;
  return (
    <span class={`connection ${state}`} role="status">
      {CONNECTIONS[state]}
    </span>
  );
}
