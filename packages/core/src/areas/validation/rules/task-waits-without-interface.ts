import type { Contract, ContractTask } from '../../contract/contract.ts';
import { partiesOf } from '../interfaces.ts';
import { byId } from '../references.ts';
import type { ContractRule } from '../rule.ts';

export const taskWaitsWithoutInterface: ContractRule = {
  reads: 'contract',
  code: 'TASK_WAITS_WITHOUT_INTERFACE',
  severity: 'warning',
  explanation: 'A task that waits for a task of the other builder needs to know what it is going to get from there.',
  hint: 'Name the interface between the two in both tasks, or the same deliverable.',

  *check({ tasks, interfaces }) {
    const taskOf = byId(tasks);
    const interfaceOf = byId(interfaces);
    const handsOver = new Map(Array.from(taskOf, ([id, task]) => [id, handsOverToOther(task, interfaceOf)]));
    for (const [at, task] of tasks.entries()) {
      const own = new Set([...task.deliverables, ...task.done_when]);
      const waitsFor = new Map(task.depends_on.map((id, index) => [id, index]));
      for (const [id, index] of waitsFor) {
        const other = taskOf.get(id);
        if (!other || other.assignee === task.assignee || handsOver.get(id)) continue;
        if (!other.deliverables.some((deliverable) => own.has(deliverable)))
          yield {
            pointer: `/tasks/${at}/depends_on/${index}`,
            message: `Task ${task.id} waits for ${id} of ${other.assignee}, and no interface goes between them.`,
          };
      }
    }
  },
};

type Interfaces = ReadonlyMap<string, Contract['interfaces'][number]>;

/** Whether a task is about an interface that the other builder provides or uses. */
function handsOverToOther({ assignee, interfaces }: ContractTask, interfaceOf: Interfaces): boolean {
  return interfaces.some((id) => {
    const item = interfaceOf.get(id);
    return item !== undefined && [...partiesOf(item)].some((party) => party !== assignee);
  });
}
