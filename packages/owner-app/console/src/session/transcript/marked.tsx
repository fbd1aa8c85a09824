import { visible } from '../../../../src/text/visible.ts';
import { cutAtWords } from './filter.ts';

interface MarkedProps {
  readonly text: string;
  readonly words: readonly string[];
}

/** Shows a text like `SafeText`, with the searched words highlighted. */
export function Marked({ text, words }: MarkedProps) {
  return (
    <span class="said">
      {cutAtWords(visible(text), words).map((piece, index) =>
        index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
      )}
    </span>
  );
}
