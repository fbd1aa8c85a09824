import type { Contract, ContractInterface } from '../../document/contract.ts';

export interface PlacedOperation {
  readonly operation: ContractInterface['operations'][number];
  readonly pointer: string;
  readonly of: ContractInterface;
}

export function* operationsOf({ interfaces }: Contract, kind: ContractInterface['kind']): Generator<PlacedOperation> {
  for (const [at, of] of interfaces.entries())
    if (of.kind === kind)
      for (const [index, operation] of of.operations.entries())
        yield { operation, of, pointer: `/interfaces/${at}/operations/${index}` };
}

export const isSaid = (payload: unknown): boolean =>
  payload !== undefined && payload !== null && !(typeof payload === 'string' && payload.trim() === '');
