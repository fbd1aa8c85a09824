import { useMemo } from 'preact/hooks';
import type { Board } from '../../api/types.ts';
import { Graph } from '../../ui/graph/graph.tsx';

interface ScenarioGraphProps {
  readonly scenarios: Board['scenarios'];
}

/** The graph of the scenarios and their dependencies. The list below the graph contains the same dependencies. */
export function ScenarioGraph({ scenarios }: ScenarioGraphProps) {
  const items = useMemo(
    () =>
      scenarios.map(({ scenario_id, status, level, depends_on }) => ({
        id: scenario_id,
        note: level ? `${status}, ${level}` : status,
        tone: `${status.toLowerCase()} ${level ?? ''}`,
        dependsOn: depends_on,
      })),
    [scenarios],
  );
  return <Graph items={items} />;
}
