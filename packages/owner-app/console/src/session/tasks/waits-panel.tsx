import { useId } from 'preact/hooks';
import { absentText } from '../../../../src/text/agent.ts';
import { countedWaits, foldedAbsences, mostUrgentFirst, waitsToSettle } from '../../../../src/text/inbox.ts';
import { shortened } from '../../../../src/text/records/first-words.ts';
import { taskOf } from '../../../../src/text/task.ts';
import type { OwnerWait, SessionView } from '../../api/types.ts';
import { clock } from '../../state/clock.ts';
import type { LiveSession, SessionProps } from '../../state/live-session.ts';
import type { Tab } from '../../state/route.ts';
import { lazy } from '../../ui/requests/lazy.tsx';
import { WaitsSince } from '../../ui/text/ago.tsx';
import { Badge, Role, roleName, SafeText } from '../../ui/text/shown.tsx';
import { WaitText } from '../../ui/text/wait-text.tsx';
import { isTextShown } from '../../ui/text/wording.ts';
import { decisionOf } from '../brief/steps.ts';
import { useApprovalBrief } from '../brief/use-approval-brief.ts';
import { FindingWords } from '../held-finding.tsx';
import { WhatToTell } from '../what-to-tell.tsx';
import type { TaskForm } from './buttons-of.ts';
import { TaskButtons } from './task-buttons.tsx';

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
    <section class="card waits" aria-labelledby={head}>
      <h2 id={head}>{title}</h2>
      <ul>
        {waits.map((wait) => (
          <Wait key={wait.wait_id} {...page} wait={wait} />
        ))}
      </ul>
    </section>
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
  contract: ['approve', 'changes'],
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
          <p key={text} class="reply">
            <SafeText text={text} />
          </p>
        ) : (
          <details key={text}>
            <summary>
              <SafeText text={shortened(text, SHORT_CHARS)} />
            </summary>
            <p class="reply">
              <SafeText text={text} />
            </p>
          </details>
        ),
      )}
    </>
  );
}
