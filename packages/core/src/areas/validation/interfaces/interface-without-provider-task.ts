import type { ContractRule } from '../rule.ts';
import { assigneesByInterface } from './interfaces.ts';

export const interfaceWithoutProviderTask: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_WITHOUT_PROVIDER_TASK',
  severity: 'error',
  explanation: 'The provider of an interface must have a task that names it.',
  hint: 'Give the provider a task that names the interface, or correct the provider.',

  *check({ interfaces, tasks }) {
    const assignees = assigneesByInterface(tasks);
    for (const [at, { id, provider }] of interfaces.entries())
      if (!assignees.get(id)?.has(provider))
        yield { pointer: `/interfaces/${at}/provider`, message: `No task of ${provider} names interface ${id}.` };
  },
};
