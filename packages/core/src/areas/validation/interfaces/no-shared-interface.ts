import type { ContractRule } from '../rule.ts';
import { isShared } from './interfaces.ts';

export const noSharedInterface: ContractRule = {
  reads: 'contract',
  code: 'NO_SHARED_INTERFACE',
  severity: 'warning',
  explanation: 'One builder must provide at least one interface that the other consumes.',
  hint: 'Write down what one side provides and the other consumes: routes, events, files, tables.',

  *check({ interfaces }) {
    if (!interfaces.some(isShared))
      yield { pointer: '/interfaces', message: 'No interface is provided by one builder and consumed by the other.' };
  },
};
