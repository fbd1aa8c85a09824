import { createReader } from '../../kernel/operation/coerce.ts';
import type { JsonSchema } from '../../kernel/operation/json-schema.ts';
import { CONTRACT_JSON_SCHEMA } from './contract-schema.ts';
import { namesIn } from './json-pointer.ts';
import type { PatchOp } from './patch.ts';

/**
 * Converts the value of each patch operation to the type that the contract's schema declares at the operation's path.
 */
export function readValues(ops: readonly PatchOp[]): PatchOp[] {
  const read = createReader();
  return ops.map((op, index) =>
    op.value === undefined ? op : { ...op, value: read(schemaOf(op.path), op.value, ['ops', index, 'value']) },
  );
}

/**
 * The contract's schema at a path. If the contract's schema does not describe the path, returns {}, which accepts any
 * value.
 */
const schemaOf = (path: string): JsonSchema => namesIn(path).slice(1).reduce(inside, CONTRACT_JSON_SCHEMA);

function inside({ items, properties = {} }: JsonSchema, name: string): JsonSchema {
  if (items) return items;
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}
