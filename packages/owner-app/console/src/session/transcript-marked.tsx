import { visible } from '../../../src/print/visible.ts';

/** Cuts a text so that every second piece is one of the words. */
export function cutAtWords(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const literal = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.split(new RegExp(`(${literal.join('|')})`, 'giu'));
}

interface MarkedProps {
  readonly text: string;
  readonly words: readonly string[];
}

/** Text of somebody, as `Said` shows it, with what was looked for marked. */
export function Marked({ text, words }: MarkedProps) {
  return (
    <span class="said">
      {cutAtWords(visible(text), words).map((piece, index) =>
        index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
      )}
    </span>
  );
}
