import { lazy } from '../requests/lazy.tsx';
import { SafeText } from './shown.tsx';

/** Shows Markdown. Until the parser is loaded, the text is shown without formatting. */
export const LazyMarkdown = lazy<{ readonly text: string }>(
  async () => (await import('./markdown.tsx')).Markdown,
  ({ text }) => (
    <div class="markdown">
      <SafeText text={text} />
    </div>
  ),
);
