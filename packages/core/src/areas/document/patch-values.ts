import { createReader } from '../../kernel/operation/coerce.ts';
import type { JsonSchema } from '../../kernel/operation/json-schema.ts';
import { CONTRACT_JSON_SCHEMA } from './contract-schema.ts';
import { namesIn } from './json-pointer.ts';
import type { PatchOp } from './patch.ts';

/** The operations with their values read by the schema of their places, as a contract is read that is handed in whole. */
export function readValues(ops: readonly PatchOp[]): PatchOp[] {
  const read = createReader();
  return ops.map((op) => (op.value === undefined ? op : { ...op, value: read(schemaOf(op.path), op.value) }));
}

/** Of a place that the contract's schema leaves open: {}. */
const schemaOf = (path: string): JsonSchema => namesIn(path).slice(1).reduce(inside, CONTRACT_JSON_SCHEMA);

function inside({ items, properties = {} }: JsonSchema, name: string): JsonSchema {
  if (items) return items;
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}
