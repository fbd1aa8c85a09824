import { useLayoutEffect } from 'preact/hooks';
import { type Agent, hindranceOf, IDLE_MEANING, presenceText } from '../../../src/text/agent.ts';
import { absentRoles, actingIn, isHeldUp } from '../../../src/text/inbox.ts';
import type { SessionView } from '../api/answers.ts';
import { agentNames, clock, Role } from '../ui/text/shown.tsx';

/** Shows the agents of this session by their display names, while the calling component is on the page. */
export function useAgentNames(view: SessionView | null): void {
  const names = JSON.stringify(view?.agents.map(({ role, name }) => [role, name]) ?? []);
  useLayoutEffect(() => {
    agentNames.value = Object.fromEntries(JSON.parse(names));
    return () => {
      agentNames.value = {};
    };
  }, [names]);
}

/** The presence of each agent. Leaves out an agent that has not joined, if a task of the owner says so. */
export function Presence({ view }: { readonly view: SessionView }) {
  const { status } = view.state;
  const named = absentRoles(view);
  const agents = view.agents.filter(
    ({ role, joined }) => joined !== false || !(status === 'DRAFT' || named.includes(role)),
  );
  if (status === 'ENDED' || agents.length === 0) return null;
  return (
    <ul class="row presence" aria-label="Presence of the agents">
      {agents.map((agent) => (
        <li key={agent.role}>
          <Role of={agent.role} name={agent.name} /> <PresenceText view={view} agent={agent} />
        </li>
      ))}
    </ul>
  );
}

interface PresenceTextProps {
  readonly view: SessionView;
  readonly agent: Agent;
}

/** Whether a session waits only for agents that do not take their steps. */
export const isViewHeldUp = (view: SessionView): boolean =>
  isHeldUp({ ...actingIn(view), agents: view.agents }, clock.value);

/**
 * Shows whether an agent is active. An agent that does not take its step is marked if the session waits only for such
 * agents. Renders nothing if the service has no information about the agent.
 */
export function PresenceText({ view, agent }: PresenceTextProps) {
  const text = presenceText(agent, clock.value);
  if (text === '') return null;
  const hindrance = hindranceOf(agent, clock.value, absentRoles(view).includes(agent.role));
  const isMarked = view.state.status === 'ACTIVE' && hindrance !== undefined && isViewHeldUp(view);
  return (
    <span class={isMarked ? 'absent' : 'muted'} title={hindrance === 'idle' ? IDLE_MEANING : undefined}>
      {text}
    </span>
  );
}
