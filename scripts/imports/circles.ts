interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the cycles of a graph.
 *
 * @returns the strongly connected components with more than one node, sorted; empty if the graph has no cycle
 */
export function circlesIn(edges: readonly Edge[]): string[][] {
  const nodes = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].toSorted();
  const reached = new Map(nodes.map((node) => [node, new Set(reachedFrom([node], edges, 'without the start'))]));
  const reaches = (a: string, b: string) => reached.get(a)?.has(b) === true;
  const circles: string[][] = [];
  const placed = new Set<string>();
  for (const node of nodes) {
    if (placed.has(node) || !reaches(node, node)) continue;
    const circle = nodes.filter((other) => reaches(node, other) && reaches(other, node));
    for (const member of circle) placed.add(member);
    circles.push(circle);
  }
  return circles;
}

/** Finds the nodes that can be reached from the starts. */
export function reachedFrom(
  starts: readonly string[],
  edges: readonly Edge[],
  start: 'with the start' | 'without the start' = 'with the start',
): string[] {
  const next = groupedBy(edges, ({ from }) => from);
  const reached = new Set<string>(start === 'with the start' ? starts : []);
  const waiting = [...starts];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const { to } of next.get(node) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return [...reached];
}

export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
