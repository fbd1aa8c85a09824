import { shortened } from '../../../src/text/records/first-words.ts';
import { taskOf } from '../../../src/text/task.ts';
import type { Glance, OwnerWait } from '../api/types.ts';
import { useApprovalBrief } from '../session/brief/use-approval-brief.ts';
import { FindingWords } from '../session/held-finding.tsx';
import { TaskButtons } from '../session/tasks/task-buttons.tsx';
import { lazy } from '../ui/requests/lazy.tsx';
import { WaitsSince } from '../ui/text/ago.tsx';
import { Link } from '../ui/text/link.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { WaitText } from '../ui/text/wait-text.tsx';
import { addressOf, isTextShown } from '../ui/text/wording.ts';
import { agentIn } from './agents.ts';

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
      {said && (
        <p class="inbox-said">
          <SafeText text={shortened(said, SAID_CHARS)} />
        </p>
      )}
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
