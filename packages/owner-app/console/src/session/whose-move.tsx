import { namedText } from '../../../src/text/agent.ts';
import { countedWaits, mostUrgentFirst } from '../../../src/text/inbox.ts';
import { taskOf } from '../../../src/text/task.ts';
import type { SessionView } from '../api/types.ts';
import { LinkedText } from '../ui/text/linked-text.tsx';
import { Role, roleName } from '../ui/text/shown.tsx';

interface WhoseMoveProps {
  readonly view: SessionView;
}

/** Shows which roles must act in the session, and what each of them must do. Renders nothing after the end. */
export function WhoseMove({ view }: WhoseMoveProps) {
  if (view.state.status === 'ENDED') return null;
  const tasks = ownerTasks(view);
  return (
    <ul class="whose-move" aria-label="Who has to act">
      {tasks !== '' && (
        <li>
          next: <Role of="owner" isMine />: <LinkedText text={tasks} />
        </li>
      )}
      {view.duties.map(({ role, text }) => (
        <li key={role}>
          next: <Role of={role} />: <LinkedText text={namedText(text, roleName)} />
        </li>
      ))}
      {tasks === '' && view.duties.length === 0 && <li>{NOBODY[view.state.status]}</li>}
    </ul>
  );
}

/** Maximum number of the owner's tasks that are named. Further tasks are only counted. */
const NAMED_TASKS = 3;

/** The owner's tasks as `Approve r_2; Answer q_4; 2 more`. Empty if there are none. */
function ownerTasks({ state: { status }, waits }: SessionView): string {
  const tasks = mostUrgentFirst(countedWaits({ status, waits })).map((wait) => taskOf(wait, roleName));
  const more = tasks.length - NAMED_TASKS;
  return [...tasks.slice(0, NAMED_TASKS), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

const NOBODY = {
  DRAFT: 'next: nobody, until you start the session',
  PAUSED: 'next: nobody, until you resume the session',
  ACTIVE: 'next: nobody',
} as const;
