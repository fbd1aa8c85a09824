import { visible } from '../../../../src/text/visible.ts';
import { Inserted, Removed } from './marked-words.tsx';

const MARKS = /\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}/g;

/**
 * Shows a text in which the service has marked words as `[-removed-] {+added+}`: removed words are struck out, and
 * added words are underlined.
 */
export function MarkedChange({ words }: { readonly words: string }) {
  const pieces = [];
  let end = 0;
  for (const { 0: whole, 1: removed, 2: added, index } of words.matchAll(MARKS)) {
    pieces.push(visible(words.slice(end, index)));
    pieces.push(
      removed === undefined ? <Inserted key={index} text={added ?? ''} /> : <Removed key={index} text={removed} />,
    );
    end = index + whole.length;
  }
  return (
    <div class="said word-diff">
      {pieces}
      {visible(words.slice(end))}
    </div>
  );
}
