import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { ContractInterface, ContractTask } from '../document/contract.ts';

/** Whether one builder provides the interface and the other builder consumes it. */
export const isShared = ({ provider, consumers }: ContractInterface): boolean =>
  consumers.includes(otherBuilder(provider));

export const partiesOf = ({ provider, consumers }: ContractInterface): ReadonlySet<Builder> =>
  new Set([provider, ...consumers.filter(isBuilder)]);

/** For each interface id, the assignees of the tasks that name the interface. */
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
