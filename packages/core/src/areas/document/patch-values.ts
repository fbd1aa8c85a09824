import { createReader } from '../../kernel/operation/coerce.ts';
import type { JsonSchema } from '../../kernel/operation/json-schema.ts';
import { CONTRACT_JSON_SCHEMA } from './contract-schema.ts';
import { namesIn } from './json-pointer.ts';
import type { PatchOp } from './patch.ts';

/** Parses each operation's value with the schema of its place, as `submit_contract` parses a whole contract. */
export function readValues(ops: readonly PatchOp[]): PatchOp[] {
  const read = createReader();
  return ops.map((op) => (op.value === undefined ? op : { ...op, value: read(schemaOf(op.path), op.value) }));
}

/** The schema of a place; {}, which accepts any value, if the contract's schema leaves the place open. */
const schemaOf = (path: string): JsonSchema => namesIn(path).slice(1).reduce(inside, CONTRACT_JSON_SCHEMA);

function inside({ items, properties = {} }: JsonSchema, name: string): JsonSchema {
  if (items) return items;
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}
