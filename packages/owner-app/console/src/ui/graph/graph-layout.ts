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
