import type { Evidence, Part } from '@parley/core/words';
import { Marked } from './marked.tsx';
import { Said, SaidLine } from './said.tsx';

interface PartsProps {
  readonly parts: readonly Part[];
  readonly words: readonly string[];
}

/**
 * Shows the parts of a message. If the title of a part is a short id, the title is on the first line of the part's
 * text. A longer title is on a separate line above the text.
 */
export function Parts({ parts, words }: PartsProps) {
  return (
    <dl class="parts">
      {parts.map((part, index) => (
        <div key={index}>
          <dt class={part.tone}>{part.label}</dt>
          <dd>
            {part.title && (
              <b class={/^\S{1,6}$/.test(part.title) ? undefined : 'topic'}>
                <SaidLine text={part.title} words={words} />
              </b>
            )}{' '}
            {part.text && <Said text={part.text} words={words} />}
            {part.evidence?.map((item, at) => (
              <Proof key={at} item={item} words={words} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Proof({ item, words }: { readonly item: Evidence; readonly words: readonly string[] }) {
  return (
    <div class="proof">
      <Marked text={item.source} words={words} />
      {item.excerpt && (
        <pre>
          <Marked text={item.excerpt} words={words} />
        </pre>
      )}
    </div>
  );
}
