import { useLayoutEffect } from 'preact/hooks';
import type { SessionView } from '../api/types.ts';
import { agentNames } from '../ui/text/shown.tsx';

/** While a component that calls this is on the page, agents of this session are shown by their display names. */
export function useAgentNames(view: SessionView | null): void {
  const names = JSON.stringify(view?.agents.map(({ role, name }) => [role, name]) ?? []);
  useLayoutEffect(() => {
    agentNames.value = Object.fromEntries(JSON.parse(names));
    return () => {
      agentNames.value = {};
    };
  }, [names]);
}
