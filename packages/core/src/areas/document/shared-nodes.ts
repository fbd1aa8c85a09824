import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';

/**
 * Moves the nodes that occur often in a schema to `$defs`, and puts references in their places. If a node has different
 * descriptions in different places, each reference keeps its description; otherwise the moved node has the description.
 * The result accepts the same values as `schema`.
 */
export function withShared(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  const descriptions = new Map<string, Set<unknown>>();
  const count = (node: JsonSchema): JsonSchema => {
    const key = JSON.stringify(bare(node));
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const said = descriptions.get(key) ?? new Set();
    if (node.description !== undefined) said.add(node.description);
    descriptions.set(key, said);
    return mapInner(node, count);
  };
  const onlyDescription = (key: string): unknown => {
    const [said, ...others] = descriptions.get(key) ?? [];
    return others.length === 0 ? said : undefined;
  };
  mapInner(schema, count);
  const shared = new Map(
    [...counts]
      .filter(([key, times]) => times > 1 && key.length * times > 100)
      .map(([key], index) => [key, `d${index + 1}`] as const),
  );
  const refer = (node: JsonSchema): JsonSchema => {
    const key = JSON.stringify(bare(node));
    const name = shared.get(key);
    if (name === undefined) return mapInner(node, refer);
    const { description } = node;
    const isOwn = description !== undefined && description !== onlyDescription(key);
    return { $ref: `#/$defs/${name}`, ...(isOwn && { description }) };
  };
  const defs = [...shared].map(([key, name]) => {
    const description = onlyDescription(key);
    const node = mapInner(JSON.parse(key), refer);
    return [name, description === undefined ? node : { ...node, description }] as const;
  });
  return { ...mapInner(schema, refer), $defs: Object.fromEntries(defs) };
}

const bare = ({ description: _, ...node }: JsonSchema): JsonSchema => node;
