import { otherBuilder } from '../../../kernel/roles.ts';
import type { Contract, ContractTask } from '../../document/contract.ts';
import { partiesOf } from '../interfaces/interfaces.ts';
import { byId } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const taskWaitsWithoutInterface: ContractRule = {
  reads: 'contract',
  code: 'TASK_WAITS_WITHOUT_INTERFACE',
  severity: 'warning',
  explanation: 'If a task depends on a task of the other builder, they must share an interface or deliverable.',
  hint: 'Name the same interface in both tasks, or the same deliverable.',

  *check({ tasks, interfaces }) {
    const interfaceOf = byId(interfaces);
    const handOvers = new Map(Array.from(byId(tasks), ([id, task]) => [id, handOverOf(task, interfaceOf)]));
    for (const [at, { id, assignee, depends_on, deliverables, done_when }] of tasks.entries()) {
      const own = new Set([...deliverables, ...done_when]);
      for (const [other, index] of new Map(depends_on.map((name, place) => [name, place]))) {
        const handOver = handOvers.get(other);
        if (!handOver || handOver.assignee === assignee || handOver.isKnownToOther) continue;
        if (!doMeet(own, handOver.deliverables))
          yield {
            pointer: `/tasks/${at}/depends_on/${index}`,
            message: `Task ${id} depends on task ${other} of ${handOver.assignee}, but they share no interface or deliverable.`,
          };
      }
    }
  },
};

type Interfaces = ReadonlyMap<string, Contract['interfaces'][number]>;

/**
 * What a task can hand to the other builder: an interface of which that builder is a party (`isKnownToOther`), or its
 * deliverables.
 */
function handOverOf({ assignee, interfaces, deliverables }: ContractTask, interfaceOf: Interfaces) {
  const isKnownToOther = interfaces.some((id) => {
    const item = interfaceOf.get(id);
    return item !== undefined && partiesOf(item).has(otherBuilder(assignee));
  });
  return { assignee, isKnownToOther, deliverables: new Set(deliverables) };
}

function doMeet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const text of smaller) if (larger.has(text)) return true;
  return false;
}
