import type { GraphEdge, PlacedItem } from './graph-layout.ts';

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
