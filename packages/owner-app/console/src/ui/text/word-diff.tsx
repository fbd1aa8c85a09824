import { useMemo } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { Inserted, Removed } from './marks.tsx';
import { wordPieces } from './word-pieces.ts';

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
}

/**
 * Shows the later text and its differences from the earlier text: removed words are struck out, and added words are
 * underlined.
 */
export function WordDiff({ before, after }: WordDiffProps) {
  const pieces = useMemo(() => wordPieces(before, after), [before, after]);
  return (
    <div class="said word-diff">
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'same') return visible(text);
        return kind === 'removed' ? <Removed key={index} text={text} /> : <Inserted key={index} text={text} />;
      })}
    </div>
  );
}
