import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

type Renderer = typeof import('./markdown.tsx')['Markdown'];

/** Markdown. Its parser is loaded when it is first shown. */
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
