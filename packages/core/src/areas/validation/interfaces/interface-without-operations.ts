import type { ContractRule } from '../rule.ts';

export const interfaceWithoutOperations: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_WITHOUT_OPERATIONS',
  severity: 'warning',
  explanation: 'Each interface must list its operations.',
  hint: 'List each route, event, command or file, each with its request and its response.',

  *check({ interfaces }) {
    for (const [at, { id, kind, operations }] of interfaces.entries())
      if (kind !== 'ui' && operations.length === 0)
        yield { pointer: `/interfaces/${at}/operations`, message: `Interface ${id} has no operations.` };
  },
};
