import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

type Renderer = typeof import('./markdown.tsx')['Markdown'];

/** Shows Markdown. The parser is loaded when Markdown is shown for the first time. */
export function LazyMarkdown({ text }: { readonly text: string }) {
  const renderer = useSignal<Renderer | null>(null);
  useEffect(() => {
    void import('./markdown.tsx').then(({ Markdown }) => {
      renderer.value = Markdown;
    });
  }, [renderer]);
  const Markdown = renderer.value;
  return Markdown ? <Markdown text={text} /> : <p class="waiting">Loading…</p>;
}
