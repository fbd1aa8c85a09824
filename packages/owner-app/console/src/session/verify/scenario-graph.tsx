import { useMemo } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import type { Board } from '../../api/types.ts';
import { type GraphEdge, layOutGraph, type PlacedItem } from './graph-layout.ts';

const BOX = { width: 190, height: 46 } as const;
const GAP = { x: 56, y: 16 } as const;
const SHOWN_CHARS = 21;

const leftOf = ({ column }: PlacedItem): number => column * (BOX.width + GAP.x) + 4;
const topOf = ({ row }: PlacedItem): number => row * (BOX.height + GAP.y) + 4;

interface ScenarioGraphProps {
  readonly scenarios: Board['scenarios'];
}

/** The graph of scenarios and their dependencies. The list below it shows the same dependencies in words. */
export function ScenarioGraph({ scenarios }: ScenarioGraphProps) {
  const layout = useMemo(
    () => layOutGraph(scenarios.map(({ scenario_id, depends_on }) => ({ id: scenario_id, dependsOn: depends_on }))),
    [scenarios],
  );
  const width = layout.columns * (BOX.width + GAP.x);
  const height = layout.rows * (BOX.height + GAP.y) + 8;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <div class="scroll-x" tabIndex={0}>
      <svg class="scenario-graph" width={width} height={height} aria-hidden="true">
        {layout.edges.map((edge) => (
          <path key={`${edge.from.id} ${edge.to.id}`} d={curve(edge)} />
        ))}
        {layout.items.map((item) => (
          <Box key={item.id} item={item} status={statusOf(scenarios, item.id)} />
        ))}
      </svg>
    </div>
  );
}

const statusOf = (scenarios: Board['scenarios'], id: string): string =>
  scenarios.find(({ scenario_id }) => scenario_id === id)?.status ?? '';

function Box({ item, status }: { readonly item: PlacedItem; readonly status: string }) {
  const [x, y] = [leftOf(item), topOf(item)];
  const name = visible(item.id);
  return (
    <g class={`box ${status.toLowerCase()}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
      <text x={x + 10} y={y + 19}>
        {name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS - 1)}…` : name}
      </text>
      <text class="status" x={x + 10} y={y + 36}>
        {status}
      </text>
    </g>
  );
}

function curve({ from, to }: GraphEdge): string {
  const [x1, y1] = [leftOf(from) + BOX.width, topOf(from) + BOX.height / 2];
  const [x2, y2] = [leftOf(to), topOf(to) + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
