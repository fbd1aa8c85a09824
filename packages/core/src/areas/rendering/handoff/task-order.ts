import type { ContractTask } from '../../document/contract.ts';

/** If several items have the same id, the map contains the first of them. */
export function byId<Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.toReversed().map((item) => [item.id, item]));
}

/**
 * The tasks in the order of the contract, but each after the tasks on which it depends. If tasks depend on each other
 * in a cycle, the dependency that closes the cycle is ignored.
 */
export function inDependencyOrder(tasks: readonly ContractTask[]): ContractTask[] {
  const tasksById = byId(tasks);
  const seen = new Set<ContractTask>();
  const ordered: ContractTask[] = [];
  for (const start of tasks) {
    if (seen.has(start)) continue;
    seen.add(start);
    // A loop instead of recursion, because a chain of tasks can be long enough to exhaust the stack.
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
