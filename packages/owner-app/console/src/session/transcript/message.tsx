import { useSignal } from '@preact/signals';
import type { Evidence, Part } from '../../../../src/transcript/event-text.ts';
import { Role, When } from '../../ui/shown.tsx';
import type { Entry } from './entries.ts';
import { Marked } from './marked.tsx';
import { linkTo } from './position.ts';

interface MessageProps {
  readonly entry: Entry;
  readonly continues: boolean;
  /** Words that the user searches for; they are marked. */
  readonly words: readonly string[];
}

/** Shows a message: speaker, time, heading, text, parts and outcome. */
export function TranscriptMessage({ entry, continues, words }: MessageProps) {
  const { id, at, from, name, eventText } = entry;
  const { heading, text, parts = [], outcome } = eventText;
  const meta = (
    <span class="meta">
      <CopyNumber id={id} />
      <When at={at} />
      <a class="number" href={linkTo(id)} title="Link to this message">
        #{id}
      </a>
    </span>
  );
  return (
    <>
      {heading !== '' && (
        <header>
          <span class={continues ? 'who again' : 'who'}>
            <Role of={from} name={name} />
          </span>{' '}
          <span class="did">
            <Marked text={heading} words={words} />
          </span>
          {meta}
        </header>
      )}
      {text && (
        <p class="text">
          <Marked text={text} words={words} />
        </p>
      )}
      {parts.length > 0 && <Parts parts={parts} words={words} />}
      {outcome && (
        <p class="outcome">
          <span aria-hidden="true">✔</span> <Marked text={outcome} words={words} />
          {heading === '' && meta}
        </p>
      )}
    </>
  );
}

/** Shows the parts of a message. A short id is on the same line as its text; a topic is on the line above. */
function Parts({ parts, words }: { readonly parts: readonly Part[]; readonly words: readonly string[] }) {
  return (
    <dl class="parts">
      {parts.map((part, index) => (
        <div key={index}>
          <dt class={part.tone}>{part.label}</dt>
          <dd>
            {part.title && (
              <b class={/^\S{1,6}$/.test(part.title) ? undefined : 'topic'}>
                <Marked text={part.title} words={words} />
              </b>
            )}{' '}
            {part.text && <Marked text={part.text} words={words} />}
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

const COPIED_MS = 1_500;

/**
 * A button that copies the number of a message. It is shown only on https and on localhost, because other pages have no
 * clipboard.
 */
function CopyNumber({ id }: { readonly id: number }) {
  const isCopied = useSignal(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(String(id));
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, COPIED_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()} aria-label={`Copy the number ${id}`}>
      {isCopied.value ? 'copied' : 'copy'}
    </button>
  );
}
