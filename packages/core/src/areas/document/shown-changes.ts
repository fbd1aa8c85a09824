import { diffArrays } from 'diff';
import { z } from 'zod';
import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';
import type { Change } from './diff.ts';
import { PatchOpName } from './patch.ts';

/**
 * Matches a word of at most 40 characters, white space, or any other single character. White space after a word or
 * after another character belongs to the same match, so the joined matches give the whole text.
 */
const TOKEN = /[\p{L}\p{N}_]{1,40}\s*|\s+|[^\p{L}\p{N}_\s]\s*/gu;
/** Maximum number of unchanged characters shown on each side of a change. */
const CONTEXT_CHARS = 40;
/**
 * Maximum number of edits in the search for the shortest diff. If two texts differ by more edits, the whole text is
 * marked as replaced.
 */
const MAX_EDITS = 1_000;

/**
 * Marks by words what changed from `before` to `after`, as `git diff --word-diff` does: `[-removed-]` and `{+added+}`.
 * Long unchanged parts are shortened with `…`. Empty for equal texts.
 */
export function wordDiff(before: string, after: string): string {
  if (before === after) return '';
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MAX_EDITS });
  if (!parts) return `[-${before}-]{+${after}+}`;
  return parts
    .map(({ value, added, removed }, index) => {
      if (removed) return `[-${value.join('')}-]`;
      if (added) return `{+${value.join('')}+}`;
      return shortened(value, { isFirst: index === 0, isLast: index === parts.length - 1 });
    })
    .join('');
}

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

function shortened(tokens: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const whole = tokens.join('');
  const head = isFirst ? '' : within(tokens);
  const tail = isLast ? '' : within([...tokens].reverse(), (shown, token) => token + shown);
  if (head.length + tail.length >= whole.length) return whole;
  const short = `${head.trimEnd()}${isFirst ? '' : ' '}…${isLast ? '' : ' '}${tail}`;
  return short.length < whole.length ? short : whole;
}

/** Joins tokens from the first on, as many as fit into CONTEXT_CHARS. */
function within(tokens: readonly string[], join = (shown: string, token: string) => shown + token): string {
  let shown = '';
  for (const token of tokens) {
    if (shown.length + token.length > CONTEXT_CHARS) break;
    shown = join(shown, token);
  }
  return shown;
}

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
