import type { ContractRule } from '../rule.ts';

export const duplicateOperation: ContractRule = {
  reads: 'contract',
  code: 'DUPLICATE_OPERATION',
  severity: 'error',
  explanation: 'An interface must describe an operation only once.',
  hint: 'Merge the two operations, or give them different names.',

  *check({ interfaces }) {
    for (const [at, { id, operations }] of interfaces.entries()) {
      const seen = new Set<string>();
      for (const [index, operation] of operations.entries()) {
        const name = operation.name.trim();
        if (seen.has(name))
          yield {
            pointer: `/interfaces/${at}/operations/${index}/name`,
            message: `Interface ${id} already has an operation with this name.`,
          };
        seen.add(name);
      }
    }
  },
};
