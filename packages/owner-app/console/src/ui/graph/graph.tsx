import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { shortened, visible } from '../../../../src/text/visible.ts';
import { BOX, edgePath, fitted, GAP, layOutGraph, leftOf, type PlacedItem, topOf } from './graph-layout.ts';
import '../../styles/graph.css';

/** Smallest scale of the graph. A graph that is wider than the page is scaled down to this limit and then scrolls. */
const MIN_SCALE = 0.95;
/** Maximum number of characters in the first line of a box, which has a font of one width. */
const NAME_CHARS = 21;
/** Font size of the second line of a box, as in `graph.css`. */
const NOTE_FONT_PX = 12;
/** Space on the left and the right of both lines of a box. */
const SPACE = 10;

/** A box of the graph. Its first line is the id. */
export interface DrawnItem {
  readonly id: string;
  /** The second line of the box, such as a status. */
  readonly note: string;
  /** CSS class of the box. The class determines the colour of the box. */
  readonly tone: string;
  readonly dependsOn: readonly string[];
}

/**
 * Draws boxes and their dependencies from left to right. Screen readers skip the drawing, because a list on the same
 * page has the same content.
 */
export function Graph({ items }: { readonly items: readonly DrawnItem[] }) {
  const layout = useMemo(() => layOutGraph(items), [items]);
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const width = layout.columns * (BOX.width + GAP.x) - GAP.x + 8;
  const height = layout.rows * (BOX.height + GAP.y) + 8;
  const frame = useRef<HTMLDivElement>(null);
  const isCut = useSignal(false);
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      isCut.value = current.scrollWidth > current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [width]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <div class="scroll-x graph-frame" tabIndex={0} ref={frame}>
        <svg
          class="graph"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          style={{ minWidth: width * MIN_SCALE }}
          aria-hidden="true"
        >
          {layout.edges.map((edge) => (
            <path key={`${edge.from.id} ${edge.to.id}`} d={edgePath(edge, layout.items)} />
          ))}
          {layout.items.map((placed) => (
            <Box key={placed.id} placed={placed} item={byId.get(placed.id)} />
          ))}
        </svg>
      </div>
      {isCut.value && (
        <p class="muted">{`The drawing has ${layout.columns} columns. Scroll to the right to see all of them.`}</p>
      )}
    </>
  );
}

function Box({ placed, item }: { readonly placed: PlacedItem; readonly item: DrawnItem | undefined }) {
  const [x, y] = [leftOf(placed), topOf(placed)];
  const name = visible(placed.id);
  return (
    <g class={`box ${item?.tone ?? ''}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
      <text x={x + SPACE} y={y + 19}>
        {shortened(name, NAME_CHARS)}
      </text>
      <text class="status" x={x + SPACE} y={y + 36}>
        {fitted(visible(item?.note ?? ''), BOX.width - 2 * SPACE, NOTE_FONT_PX)}
      </text>
    </g>
  );
}
