import type { ContractTask } from '../document/contract.ts';

/** Tasks by id; of tasks with one id, the first. */
export function byId<Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.toReversed().map((item) => [item.id, item]));
}

/** Each task after those it depends on, else in the contract's order. A cycle is cut where it closes. */
export function inDependencyOrder(tasks: readonly ContractTask[]): ContractTask[] {
  const tasksById = byId(tasks);
  const seen = new Set<ContractTask>();
  const ordered: ContractTask[] = [];
  for (const start of tasks) {
    if (seen.has(start)) continue;
    seen.add(start);
    // A stack of its own: chains are as long as the contract.
    const path = [{ task: start, next: 0 }];
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const wanted = step.task.depends_on[step.next];
      step.next += 1;
      if (wanted === undefined) {
        ordered.push(step.task);
        path.pop();
        continue;
      }
      const dependency = tasksById.get(wanted);
      if (!dependency || seen.has(dependency)) continue;
      seen.add(dependency);
      path.push({ task: dependency, next: 0 });
    }
  }
  return ordered;
}
