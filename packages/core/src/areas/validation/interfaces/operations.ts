import type { Contract, ContractInterface } from '../../document/contract.ts';

/** An operation of an interface, and its path in the contract. */
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

/** Whether a payload is described. */
export const isSaid = (payload: unknown): boolean =>
  payload !== undefined && payload !== null && !(typeof payload === 'string' && payload.trim() === '');
