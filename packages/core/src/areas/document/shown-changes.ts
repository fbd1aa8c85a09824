import { z } from 'zod';
import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';
import { wordDiff } from '../word-diff.ts';
import type { Change } from './diff.ts';
import { PatchOpName } from './patch.ts';

/** Length of a reference. A node that is not longer stays in its place. */
const REF_CHARS = '{"$ref":"#/$defs/d10"}'.length;

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
      .filter(([key, times]) => times > 1 && (key.length - REF_CHARS) * times > key.length)
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

/**
 * An operation as agents read it. If only some words of a long text changed, the operation has `words` instead of
 * `value`.
 */
export const ShownOp = z.strictObject({
  op: PatchOpName,
  path: z.string(),
  value: z.unknown().optional(),
  words: z.string().optional(),
});
export type ShownOp = z.output<typeof ShownOp>;

/** Minimum length of a text for which only the changed words are shown, in characters. */
const LONG_TEXT_CHARS = 160;

/**
 * Replaces the value of a changed long text by its changed words, unless the whole text is shorter than these words.
 */
export function shownOp({ op, before }: Change): ShownOp {
  if (op.op !== 'replace' || typeof before !== 'string' || typeof op.value !== 'string') return op;
  if (Math.min(before.length, op.value.length) < LONG_TEXT_CHARS) return op;
  const words = wordDiff(before, op.value);
  return words.length < op.value.length ? { op: 'replace', path: op.path, words } : op;
}
