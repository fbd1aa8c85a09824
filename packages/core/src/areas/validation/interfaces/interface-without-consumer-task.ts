import { isBuilder } from '../../../kernel/roles.ts';
import type { ContractRule } from '../rule.ts';
import { assigneesByInterface } from './interfaces.ts';

export const interfaceWithoutConsumerTask: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_WITHOUT_CONSUMER_TASK',
  severity: 'warning',
  explanation: 'Each builder that consumes an interface must have a task that names it.',
  hint: 'Give the consumer a task that names the interface, or remove the builder from consumers.',

  *check({ interfaces, tasks }) {
    const assignees = assigneesByInterface(tasks);
    for (const [at, { id, provider, consumers }] of interfaces.entries())
      for (const [index, consumer] of consumers.entries())
        if (isBuilder(consumer) && consumer !== provider && !assignees.get(id)?.has(consumer))
          yield {
            pointer: `/interfaces/${at}/consumers/${index}`,
            message: `No task of ${consumer} names interface ${id}.`,
          };
  },
};
