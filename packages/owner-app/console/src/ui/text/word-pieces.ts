import { diffWordsWithSpace } from 'diff';

/**
 * A piece of the compared texts: the same in both texts, removed from the earlier text, or inserted in the later text.
 */
export interface WordPiece {
  readonly kind: 'same' | 'removed' | 'inserted';
  readonly text: string;
}

/**
 * Maximum number of edits in the search for the shortest difference. If the texts differ by more edits, the whole text
 * is marked as replaced.
 */
const MAX_EDITS = 1_000;
/**
 * Minimum number of equal words between two changes. Fewer equal words are marked as changed, unless they are longer
 * than the removed text or the inserted text before them.
 */
const MIN_SAME_WORDS = 4;

/**
 * Compares two texts word by word. Fewer than `MIN_SAME_WORDS` equal words between two changes are also marked as
 * changed, because removed and added words that alternate are hard to read.
 */
export function wordPieces(before: string, after: string): readonly WordPiece[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const pieces: WordPiece[] = [];
  let [removed, inserted] = ['', ''];
  const endChange = (): void => {
    if (removed !== '') pieces.push({ kind: 'removed', text: removed });
    if (inserted !== '') pieces.push({ kind: 'inserted', text: inserted });
    [removed, inserted] = ['', ''];
  };
  for (const [index, { value, added, removed: isRemoved }] of parts.entries()) {
    if (isRemoved) removed += value;
    else if (added) inserted += value;
    else if (index < parts.length - 1 && isChance(value, Math.min(removed.length, inserted.length))) {
      removed += value;
      inserted += value;
    } else {
      endChange();
      pieces.push({ kind: 'same', text: value });
    }
  }
  endChange();
  return pieces;
}

const isChance = (text: string, changedChars: number): boolean =>
  text.length <= changedChars && text.split(/\s+/).filter(Boolean).length < MIN_SAME_WORDS;
