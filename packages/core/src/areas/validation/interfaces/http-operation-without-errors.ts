import type { ContractRule } from '../rule.ts';
import { operationsOf } from './operations.ts';

export const httpOperationWithoutErrors: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_ERRORS',
  severity: 'warning',
  explanation: 'Each HTTP operation must list its errors: they tell its consumer when to retry.',
  hint: 'In the member errors of the operation, list every status and error code that its consumer must handle separately.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!operation.errors?.length) yield { pointer, message: `An operation of interface ${of.id} lists no errors.` };
  },
};
