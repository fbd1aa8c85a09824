/** A node of the graph, and the ids of the nodes on which it depends. */
export interface GraphItem {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface PlacedItem {
  readonly id: string;
  readonly column: number;
  readonly row: number;
}

/** An edge from a node to a node that depends on it. */
export interface GraphEdge {
  readonly from: PlacedItem;
  readonly to: PlacedItem;
}

export interface GraphLayout {
  readonly items: readonly PlacedItem[];
  readonly edges: readonly GraphEdge[];
  readonly columns: number;
  readonly rows: number;
}

/**
 * Places nodes in columns, each node to the right of all nodes on which it depends. In a cycle of dependencies, the
 * dependency that closes the cycle is ignored.
 */
export function layOutGraph(items: readonly GraphItem[]): GraphLayout {
  const byId = new Map(items.map((item) => [item.id, item]));
  const depths = new Map<string, number>();
  const depthOf = (id: string, above: readonly string[]): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const waitsFor = (byId.get(id)?.dependsOn ?? []).filter((other) => byId.has(other) && !above.includes(other));
    const depth = Math.max(-1, ...waitsFor.map((other) => depthOf(other, [...above, id]))) + 1;
    depths.set(id, depth);
    return depth;
  };
  const filled: number[] = [];
  const placed = items.map(({ id }) => {
    const column = depthOf(id, [id]);
    const row = filled[column] ?? 0;
    filled[column] = row + 1;
    return { id, column, row };
  });
  const places = new Map(placed.map((item) => [item.id, item]));
  const edges = items.flatMap(({ id, dependsOn }) =>
    dependsOn.flatMap((other) => {
      const [from, to] = [places.get(other), places.get(id)];
      return from && to ? [{ from, to }] : [];
    }),
  );
  return { items: placed, edges, columns: filled.length, rows: Math.max(0, ...filled) };
}

/** Estimated width of a character in a proportional font, as a part of the font size. Rather too wide than too narrow. */
function widthOf(char: string): number {
  if (/[A-Z_MWmw@%…]/.test(char)) return 0.8;
  if (/[ iljtfrI.,:;'|()[\]-]/.test(char)) return 0.42;
  return 0.63;
}

/** Shortens a text so that it fits into this width, with an ellipsis at its end. */
export function fitted(text: string, widthPx: number, fontPx: number): string {
  const chars = [...text];
  const room = widthPx / fontPx;
  const total = (count: number): number => chars.slice(0, count).reduce((sum, char) => sum + widthOf(char), 0);
  if (total(chars.length) <= room) return text;
  let count = chars.length;
  while (count > 0 && total(count) + widthOf('…') > room) count -= 1;
  return `${chars.slice(0, count).join('')}…`;
}

/** Size of a box, and of the space between boxes, in pixels of the unscaled drawing. */
export const BOX = { width: 190, height: 46 } as const;
export const GAP = { x: 32, y: 16 } as const;
/** Space between the edge of the drawing and the first boxes. */
const MARGIN = 4;

const leftOfColumn = (column: number): number => column * (BOX.width + GAP.x) + MARGIN;
const topOfRow = (row: number): number => row * (BOX.height + GAP.y) + MARGIN;

export const leftOf = ({ column }: PlacedItem): number => leftOfColumn(column);
export const topOf = ({ row }: PlacedItem): number => topOfRow(row);

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The path of an edge, from the right side of a box to the left side of the box that depends on it. In the columns
 * between the two boxes, the path runs between the boxes of the column or below them, so that no box hides the path.
 */
export function edgePath({ from, to }: GraphEdge, items: readonly PlacedItem[]): string {
  const end: Point = { x: leftOf(to), y: topOf(to) + BOX.height / 2 };
  let at: Point = { x: leftOf(from) + BOX.width, y: topOf(from) + BOX.height / 2 };
  let path = `M${at.x} ${at.y}`;
  for (let column = from.column + 1; column < to.column; column += 1) {
    const left = leftOfColumn(column);
    const share = (left + BOX.width / 2 - at.x) / (end.x - at.x);
    const y = freeHeight(at.y + (end.y - at.y) * share, items.filter((item) => item.column === column).length);
    path += `${curve(at, { x: left, y })} H${left + BOX.width}`;
    at = { x: left + BOX.width, y };
  }
  return `${path}${curve(at, end)}`;
}

/** The height nearest to `wanted` at which a column with this number of boxes has no box. */
function freeHeight(wanted: number, boxes: number): number {
  const below = topOfRow(boxes) - GAP.y / 2;
  if (wanted >= below) return wanted;
  const row = Math.max(1, Math.round((wanted - MARGIN + GAP.y / 2) / (BOX.height + GAP.y)));
  return topOfRow(row) - GAP.y / 2;
}

function curve(from: Point, to: Point): string {
  const middle = (from.x + to.x) / 2;
  return ` C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
