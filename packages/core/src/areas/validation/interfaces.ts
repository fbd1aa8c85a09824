import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { ContractInterface, ContractTask } from '../document/contract.ts';

/** Built by one builder and used by the other. */
export const isShared = ({ provider, consumers }: ContractInterface): boolean =>
  consumers.includes(otherBuilder(provider));

/** Both roles at most: who provides it or uses it. */
export const partiesOf = ({ provider, consumers }: ContractInterface): ReadonlySet<Builder> =>
  new Set([provider, ...consumers.filter(isBuilder)]);

/** Who has a task that names the interface, by interface id. */
export function assigneesByInterface(tasks: readonly ContractTask[]): Map<string, Set<Builder>> {
  const assignees = new Map<string, Set<Builder>>();
  for (const { assignee, interfaces } of tasks) {
    for (const id of interfaces) {
      const known = assignees.get(id);
      if (known) known.add(assignee);
      else assignees.set(id, new Set([assignee]));
    }
  }
  return assignees;
}
