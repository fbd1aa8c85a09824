import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Marked } from './marked.tsx';

interface SaidProps {
  readonly text: string;
  /**
   * The searched words. If there are any, the text is shown as written instead of as Markdown, with these words
   * highlighted.
   */
  readonly words: readonly string[];
}

/** Shows a text of a person or an agent as Markdown. */
export const Said = ({ text, words }: SaidProps) =>
  words.length > 0 ? <Marked text={text} words={words} /> : <LazyMarkdown text={text} />;

/** Shows one line of text that a person or an agent has written, with ids as links. */
export const SaidLine = ({ text, words }: SaidProps) =>
  words.length > 0 ? (
    <Marked text={text} words={words} />
  ) : (
    <span class="said">
      <LinkedText text={text} />
    </span>
  );
