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
