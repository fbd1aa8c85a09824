import { useSignal } from '@preact/signals';
import type { Digest as MessageDigest } from '../../../../src/transcript/digest.ts';
import { isMe } from '../../state/me.ts';
import { Role, When } from '../../ui/text/shown.tsx';
import { digestIn, type Entry } from './entries.ts';
import { Parts } from './parts.tsx';
import { linkTo } from './position.ts';
import { Said, SaidLine } from './said.tsx';

interface MessageProps {
  readonly entry: Entry;
  readonly continues: boolean;
  /** The searched words, which are highlighted in the message. */
  readonly words: readonly string[];
  /** Whether the user has unfolded the message. */
  readonly isUnfolded: boolean;
  readonly onFold: (event: MouseEvent) => void;
}

/**
 * Shows a message: its speaker, time, heading, text, parts and outcome. A long message is shown as a digest until the
 * user unfolds it or searches for words.
 */
export function TranscriptMessage({ entry, continues, words, isUnfolded, onFold }: MessageProps) {
  const { id, at, from, name, person, eventText } = entry;
  const isMine = from === 'owner' && isMe(person?.id);
  const { heading, text, parts = [], outcome } = isMine ? entry.toYou : eventText;
  const digest = digestIn(entry);
  const isFolded = digest !== null && !isUnfolded && words.length === 0;
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
            <Role of={from} name={name} isMine={isMine} />
          </span>{' '}
          <span class="did">
            <SaidLine text={heading} words={words} />
          </span>
          {meta}
        </header>
      )}
      {isFolded ? (
        <FoldedMessage digest={digest} onUnfold={onFold} />
      ) : (
        <>
          {text && (
            <div class="text">
              <Said text={text} words={words} />
            </div>
          )}
          {parts.length > 0 && <Parts parts={parts} words={words} />}
          {digest && words.length === 0 && (
            <button type="button" class="quiet fold" aria-expanded={true} onClick={onFold}>
              Fold the message
            </button>
          )}
        </>
      )}
      {outcome && (
        <p class="outcome">
          <span aria-hidden="true">✔</span> <SaidLine text={outcome} words={words} />
          {heading === '' && meta}
        </p>
      )}
    </>
  );
}

interface DigestProps {
  readonly digest: MessageDigest;
  readonly onUnfold: (event: MouseEvent) => void;
}

/** Shows the digest of a long message, and the button that unfolds the message. */
function FoldedMessage({ digest: { lines, more }, onUnfold }: DigestProps) {
  return (
    <>
      <dl class="parts digest">
        {lines.map(({ label, tone, text }) => (
          <div key={label}>
            <dt class={tone}>{label || 'says'}</dt>
            <dd>
              <SaidLine text={text} words={NO_WORDS} />
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" class="quiet fold" aria-expanded={false} onClick={onUnfold}>
        {more > 0
          ? `Show the whole message, with ${more} more ${more === 1 ? 'part' : 'parts'}`
          : 'Show the whole message'}
      </button>
    </>
  );
}

const NO_WORDS: readonly string[] = [];

const COPIED_MS = 1_500;

/**
 * A button that copies the number of a message. Hidden if the browser offers no clipboard, which requires https or
 * localhost.
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
