import { byId } from '../references.ts';
import type { ContractRule } from '../rule.ts';
import { partiesOf } from './interfaces.ts';

export const undeclaredInterfaceUse: ContractRule = {
  reads: 'contract',
  code: 'UNDECLARED_INTERFACE_USE',
  severity: 'warning',
  explanation: 'A builder whose task names an interface must provide or consume it.',
  hint: 'Add the assignee to the consumers of the interface, or remove the interface from the task.',

  *check({ interfaces, tasks }) {
    const parties = new Map(Array.from(byId(interfaces), ([id, item]) => [id, partiesOf(item)]));
    for (const [at, task] of tasks.entries())
      for (const [index, id] of task.interfaces.entries())
        if (parties.get(id)?.has(task.assignee) === false)
          yield {
            pointer: `/tasks/${at}/interfaces/${index}`,
            message: `${task.assignee} neither provides nor consumes interface ${id}.`,
          };
  },
};
