import { type Agent, hindranceOf, presenceText } from '../../../src/text/agent.ts';
import { absentRoles } from '../../../src/text/inbox.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { Role } from '../ui/text/shown.tsx';

export function Presence({ view }: { readonly view: SessionView }) {
  const { status } = view.state;
  if (status === 'ENDED') return null;
  const isDraft = status === 'DRAFT';
  const reported = absentRoles(view);
  return (
    <ul class="presence" aria-label="Presence of the agents">
      {view.agents.map((agent) => (
        <li key={agent.role}>
          <Role of={agent.role} name={agent.name} />{' '}
          <PresenceText agent={agent} isDraft={isDraft} isReported={reported.includes(agent.role)} />
        </li>
      ))}
    </ul>
  );
}

interface PresenceTextProps {
  readonly agent: Agent;
  /** Whether the session is not started yet. No agent can act before the start, so none is marked as absent. */
  readonly isDraft?: boolean;
  /** Whether the service reports the agent as absent. */
  readonly isReported: boolean;
}

/** Shows whether an agent is active. Renders nothing if the service has no information about the agent. */
export function PresenceText({ agent, isDraft = false, isReported }: PresenceTextProps) {
  const text = presenceText(agent, clock.value);
  if (text === '') return null;
  const isMissing = !isDraft && hindranceOf(agent, clock.value, isReported) !== undefined;
  return <span class={isMissing ? 'absent' : 'muted'}>{text}</span>;
}
