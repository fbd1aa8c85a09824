import { hindranceOf } from '../../../src/text/agent.ts';
import { absentRoles } from '../../../src/text/inbox.ts';
import { actingIn, nextSteps, nobodyText } from '../../../src/text/next-steps.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { LinkedText } from '../ui/text/linked-text.tsx';
import { Role, roleName } from '../ui/text/shown.tsx';
import { isViewHeldUp } from './presence.tsx';
import { WhatToTell } from './what-to-tell.tsx';

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
