import type { ContractRule } from '../rule.ts';
import { isSaid, operationsOf } from './operations.ts';

export const eventWithoutPayload: ContractRule = {
  reads: 'contract',
  code: 'EVENT_WITHOUT_PAYLOAD',
  severity: 'warning',
  explanation: 'Each event must describe its payload in request.',
  hint: 'In the member request, describe the data of the event: as a JSON Schema, an example or a sentence.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'event'))
      if (!isSaid(operation.request) && !isSaid(operation.response))
        yield { pointer, message: `An event of interface ${of.id} does not describe its payload.` };
  },
};
