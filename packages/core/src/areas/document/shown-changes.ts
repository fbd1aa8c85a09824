import { z } from 'zod';
import { wordDiff } from '../word-diff.ts';
import type { Change } from './diff.ts';
import { PatchOpName } from './patch.ts';

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
