import { useSignal } from '@preact/signals';
import { type Json, readAs } from '../../../../src/text/read-as.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import { SafeText } from '../../ui/text/shown.tsx';
import { Leftover } from './values.tsx';

const AUDIENCES: Readonly<Record<string, string>> = {
  agent_a: 'for Agent A',
  agent_b: 'for Agent B',
  both: 'for both agents',
};

const FORMS = { filename: 'text', media_type: 'text', audience: 'text', content: 'text' } as const;

/** The files that the contract contains in full. They can be read before the approval freezes them. */
export function Artifacts({ artifacts }: { readonly artifacts: readonly Json[] }) {
  return (
    <>
      {artifacts.length === 0 && <p class="muted">None, except the documents that the approval generates.</p>}
      {artifacts.map((artifact, index) => (
        <Artifact key={`${index} ${readAs(artifact, FORMS).filename}`} artifact={artifact} />
      ))}
    </>
  );
}

function Artifact({ artifact }: { readonly artifact: Json }) {
  const isOpen = useSignal(false);
  const { filename, media_type, audience, content } = readAs(artifact, FORMS);
  const isMarkdown = media_type === 'text/markdown';
  return (
    <details
      class="part"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <code>
          <SafeText text={filename} />
        </code>{' '}
        <SafeText
          text={`${media_type}, ${content.length} characters, ${Object.hasOwn(AUDIENCES, audience) ? AUDIENCES[audience] : audience}`}
        />
      </summary>
      {isOpen.value && (isMarkdown ? <Markdown text={content} /> : <Plain text={content} />)}
      <Leftover value={artifact} forms={FORMS} />
    </details>
  );
}

function Plain({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <pre class="json" tabIndex={0}>
      <SafeText text={text} />
    </pre>
  );
}
