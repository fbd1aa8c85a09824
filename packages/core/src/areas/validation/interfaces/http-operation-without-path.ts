import { isRecord } from '../../../kernel/text/json-value.ts';
import type { ContractRule } from '../rule.ts';
import { operationsOf } from './operations.ts';

export const httpOperationWithoutPath: ContractRule = {
  reads: 'contract',
  code: 'HTTP_OPERATION_WITHOUT_PATH',
  severity: 'warning',
  explanation: 'The name of an HTTP operation must contain its method and path.',
  hint: 'Name the operation by its method and path, for example POST /v1/captures.',

  *check(contract) {
    for (const { operation, pointer, of } of operationsOf(contract, 'http'))
      if (!operation.name.includes('/') && !saysWhere(operation.request))
        yield { pointer: `${pointer}/name`, message: `The name of an operation of interface ${of.id} has no path.` };
  },
};

const PLACES = ['path', 'url', 'query', 'method', 'mutation'];

const saysWhere = (request: unknown): boolean =>
  isRecord(request) && PLACES.some((member) => Object.hasOwn(request, member));
