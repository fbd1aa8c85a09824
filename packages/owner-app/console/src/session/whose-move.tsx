import { actingIn, nextSteps, nobodyText } from '../../../src/text/next-steps.ts';
import type { SessionView } from '../api/types.ts';
import { LinkedText } from '../ui/text/linked-text.tsx';
import { Role, roleName } from '../ui/text/shown.tsx';

interface WhoseMoveProps {
  readonly view: SessionView;
}

/** Maximum number of the owner's tasks that are named. Further tasks are only counted. */
const NAMED_TASKS = 3;

/** Shows which roles must act in the session, and what each of them must do. Renders nothing after the end. */
export function WhoseMove({ view }: WhoseMoveProps) {
  const { status } = view.state;
  if (status === 'ENDED') return null;
  const steps = nextSteps(actingIn(view), roleName, NAMED_TASKS);
  return (
    <ul class="whose-move" aria-label="Who has to act">
      {steps.map(({ role, text }) => (
        <li key={role}>
          next: <Role of={role} isMine={role === 'owner'} />: <LinkedText text={text} />
        </li>
      ))}
      {steps.length === 0 && <li>{`next: ${nobodyText(status)}`}</li>}
    </ul>
  );
}
