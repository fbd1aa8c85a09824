import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';

/**
 * The schema with each node that it repeats often written once, under `$defs`, and referred to. It accepts and rejects
 * the same documents.
 */
export function withShared(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  const count = (node: JsonSchema): JsonSchema => {
    const key = JSON.stringify(bare(node));
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return mapInner(node, count);
  };
  mapInner(schema, count);
  const shared = new Map(
    [...counts]
      .filter(([key, times]) => times > 1 && key.length * times > 100)
      .map(([key], index) => [key, `d${index + 1}`] as const),
  );
  const refer = (node: JsonSchema): JsonSchema => {
    const name = shared.get(JSON.stringify(bare(node)));
    const { description } = node;
    return name === undefined
      ? mapInner(node, refer)
      : { $ref: `#/$defs/${name}`, ...(description === undefined ? {} : { description }) };
  };
  const defs = [...shared].map(([key, name]) => [name, mapInner(JSON.parse(key), refer)] as const);
  return { ...mapInner(schema, refer), $defs: Object.fromEntries(defs) };
}

const bare = ({ description: _, ...node }: JsonSchema): JsonSchema => node;
