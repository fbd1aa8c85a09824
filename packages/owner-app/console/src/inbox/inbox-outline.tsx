import { inboxOutline, mostUrgentFirst, waitsToSettle } from '../../../src/text/inbox.ts';
import { taskOf } from '../../../src/text/task.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import type { Glance, OwnerWait } from '../api/types.ts';
import { Outline, type OutlineEntry } from '../session/reading/outline.tsx';
import { goToElement } from '../ui/controls/go-to-element.ts';
import { Ago } from '../ui/text/ago.tsx';
import { agentIn } from './agents.ts';
import { placeOf, TaskMark } from './inbox-item.tsx';

/** Up to this number of tasks, the inbox has no outline. */
const MAX_WITHOUT = 3;

/** An outline of the inbox: one entry for each task, with a link to its card. Renders nothing if there are few tasks. */
export function InboxOutline({ sessions }: { readonly sessions: readonly Glance[] }) {
  const tasks = sessions.flatMap((session) =>
    mostUrgentFirst(waitsToSettle(session)).map((wait) => ({ session, wait })),
  );
  if (tasks.length <= MAX_WITHOUT) return null;
  return (
    <Outline
      label="Outline of the inbox"
      heading={inboxOutline(tasks.map(({ wait }) => wait))}
      entries={tasks.map(entryOf)}
      goTo={goToElement}
    />
  );
}

const entryOf = ({ session, wait }: { readonly session: Glance; readonly wait: OwnerWait }): OutlineEntry => ({
  id: placeOf(session, wait),
  mark: <TaskMark isBlocking={wait.blocking} />,
  title: taskOf(wait, (role) => agentIn(session, role)),
  note: (
    <>
      {visibleLine(session.title)}, <Ago at={wait.since} />
    </>
  ),
  parts: [],
});
