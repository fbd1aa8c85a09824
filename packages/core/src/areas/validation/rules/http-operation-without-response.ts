import { isSaid, operationsOf } from '../operations.ts';
import type { ContractRule } from '../rule.ts';

export const httpOperationWithoutResponse: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_RESPONSE',
  severity: 'warning',
  explanation: 'Every HTTP operation describes its response.',
  hint: 'Say in response what comes back: status, and body as a JSON Schema, an example or a sentence.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!isSaid(operation.response))
        yield { pointer, message: `An operation of interface ${of.id} does not describe its response.` };
  },
};
