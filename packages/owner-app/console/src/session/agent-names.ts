import { useLayoutEffect } from 'preact/hooks';
import type { SessionView } from '../api/types.ts';
import { agentNames } from '../ui/text/shown.tsx';

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
