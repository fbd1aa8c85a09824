import { isRecord, parseOrNull } from '../../../kernel/text/json-value.ts';
import { memberPath, valueAtPointer } from '../../document/json-pointer.ts';

/** The lists of a contract whose items have ids, and the type of the items in each list. */
const LISTS = {
  tasks: 'task',
  interfaces: 'interface',
  tests: 'test',
  gates: 'gate',
  data_models: 'data_model',
  risks: 'risk',
  safety_conditions: 'safety_condition',
} as const;

export const ITEM_TYPES = Object.values(LISTS);

/** An item of a contract that has an id, such as a task. */
export interface ContractItem {
  readonly type: (typeof ITEM_TYPES)[number];
  readonly id: string;
  readonly pointer: string;
  readonly item: Readonly<Record<string, unknown>>;
}

/**
 * The items of a contract that have ids, also in a contract that breaks its schema.
 * @param contract the stored JSON text of a revision
 */
export function contractItems(contract: string): ContractItem[] {
  const whole = parseOrNull(contract);
  return Object.entries(LISTS).flatMap(([list, type]) => {
    const items = isRecord(whole) && Object.hasOwn(whole, list) ? whole[list] : [];
    return (Array.isArray(items) ? items : []).flatMap((item, index) =>
      isRecord(item) && typeof item.id === 'string'
        ? [{ type, id: item.id, item, pointer: memberPath(`/${list}`, index) }]
        : [],
    );
  });
}

export const contractItem = (contract: string, id: string): ContractItem | undefined =>
  contractItems(contract).find((item) => item.id === id);

/**
 * The value at a JSON Pointer in a contract. Undefined if the contract has no value there.
 * @param contract the stored JSON text of a revision
 */
export const valueAt = (contract: string, pointer: string): unknown =>
  pointer.startsWith('/') ? valueAtPointer(parseOrNull(contract), pointer) : undefined;
