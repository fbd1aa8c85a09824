import { wordDiff } from '../word-diff.ts';
import type { Change } from './diff.ts';
import type { PatchOp } from './patch.ts';

/** An operation as agents read it: for a partly changed text, `words` replaces the value. */
export type ShownOp = PatchOp | { readonly op: 'replace'; readonly path: string; readonly words: string };

/** Texts below this length are shown in full. */
const LONG_TEXT_CHARS = 160;

/** The operation. For a long text of which only parts changed, the operation shows the changed words instead of the text. */
export function shownOp({ op, before }: Change): ShownOp {
  if (op.op !== 'replace' || typeof before !== 'string' || typeof op.value !== 'string') return op;
  if (Math.min(before.length, op.value.length) < LONG_TEXT_CHARS) return op;
  const words = wordDiff(before, op.value);
  return words.length < op.value.length ? { op: 'replace', path: op.path, words } : op;
}
