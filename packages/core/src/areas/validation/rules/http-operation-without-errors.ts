import { operationsOf } from '../operations.ts';
import type { ContractRule } from '../rule.ts';

export const httpOperationWithoutErrors: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_ERRORS',
  severity: 'warning',
  explanation: 'Every call over a network fails at times; a consumer must know how, and whether to try again.',
  hint: 'List in errors each status and code that the consumer has to tell apart.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!operation.errors?.length) yield { pointer, message: `An operation of interface ${of.id} names no errors.` };
  },
};
