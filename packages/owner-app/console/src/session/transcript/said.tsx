import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Marked } from './marked.tsx';

interface SaidProps {
  readonly text: string;
  /**
   * The searched words. If there are any, the text is not shown as Markdown but as it was written, with these words marked.
   */
  readonly words: readonly string[];
}

/** A text that a person or an agent has written, shown as Markdown. */
export const Said = ({ text, words }: SaidProps) =>
  words.length > 0 ? <Marked text={text} words={words} /> : <LazyMarkdown text={text} />;

/** A line that a person or an agent has written, with ids as links. */
export const SaidLine = ({ text, words }: SaidProps) =>
  words.length > 0 ? (
    <Marked text={text} words={words} />
  ) : (
    <span class="said">
      <LinkedText text={text} />
    </span>
  );
