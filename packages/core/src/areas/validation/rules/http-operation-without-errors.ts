import { operationsOf } from '../operations.ts';
import type { ContractRule } from '../rule.ts';

export const httpOperationWithoutErrors: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_ERRORS',
  severity: 'warning',
  explanation: 'Every HTTP operation lists its errors, so that its consumer knows when to retry.',
  hint: 'List in errors each status and code that the consumer has to tell apart.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!operation.errors?.length) yield { pointer, message: `An operation of interface ${of.id} lists no errors.` };
  },
};
