import { type Agent, idleText, isAbsent, presenceText } from '../../../src/text/agent.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { Role } from '../ui/text/shown.tsx';

export function Presence({ view }: { readonly view: SessionView }) {
  if (view.state.status === 'ENDED') return null;
  return (
    <ul class="presence" aria-label="Presence of the agents">
      {view.agents.map((agent) => (
        <li key={agent.role}>
          <Role of={agent.role} name={agent.name} /> <PresenceText agent={agent} />
        </li>
      ))}
    </ul>
  );
}

/** Shows whether an agent is active. Renders nothing if the service has no information about the agent. */
export function PresenceText({ agent }: { readonly agent: Agent }) {
  const text = presenceText(agent, clock.value);
  if (text === '') return null;
  return (
    <span class={isAbsent(agent, clock.value) || idleText(agent, clock.value) !== '' ? 'absent' : 'muted'}>{text}</span>
  );
}
