import type { ContractRule } from '../rule.ts';
import { isSaid, operationsOf } from './operations.ts';

export const httpOperationWithoutResponse: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_RESPONSE',
  severity: 'warning',
  explanation: 'Each HTTP operation must describe its response.',
  hint: 'In the member response, describe the answer: its status, and its body as a JSON Schema, an example or a sentence.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!isSaid(operation.response))
        yield { pointer, message: `An operation of interface ${of.id} does not describe its response.` };
  },
};
