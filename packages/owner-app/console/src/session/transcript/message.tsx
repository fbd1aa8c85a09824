import type { Evidence, Part } from '@parley/core/words';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import type { Digest as MessageDigest } from '../../../../src/transcript/event-text.ts';
import { isMe } from '../../api/client.ts';
import { setting } from '../../state/setting.ts';
import { LazyMarkdown } from '../../ui/requests.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Role, When } from '../../ui/text/shown.tsx';
import { cutAtWords, digestIn, type Entry, linkTo, type Row } from './rows.ts';

interface MarkedProps {
  readonly text: string;
  readonly words: readonly string[];
}

/** Shows a text like `SafeText`, with the searched words highlighted. */
function Marked({ text, words }: MarkedProps) {
  return (
    <span class="said">
      {cutAtWords(visible(text), words).map((piece, index) =>
        index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
      )}
    </span>
  );
}

/** Shows a text of a person or an agent as Markdown or, during a search, as written, with the searched words highlighted. */
const Said = ({ text, words }: MarkedProps) =>
  words.length > 0 ? <Marked text={text} words={words} /> : <LazyMarkdown text={text} />;

/** Shows one line of text that a person or an agent has written, with ids as links. */
const SaidLine = ({ text, words }: MarkedProps) =>
  words.length > 0 ? <Marked text={text} words={words} /> : <LinkedText in="span" class="said" text={text} />;

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
            {part.text && (part.isLiteral ? SaidLine : Said)({ text: part.text, words })}
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
function TranscriptMessage({ entry, continues, words, isUnfolded, onFold }: MessageProps) {
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
        <header class="row">
          <span class={continues ? 'who unseen' : 'who'}>
            <Role of={from} name={name} isMine={isMine} />
          </span>{' '}
          <span class="did">
            <SaidLine text={heading} words={words} />
          </span>
          {meta}
        </header>
      )}
      {isFolded ? (
        <FoldedMessage digest={digest} onFold={onFold} />
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

interface DigestProps extends Pick<MessageProps, 'onFold'> {
  readonly digest: MessageDigest;
}

/** Shows the digest of a long message, and the button that unfolds the message. */
function FoldedMessage({ digest: { lines, more }, onFold }: DigestProps) {
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
      <button type="button" class="quiet fold" aria-expanded={false} onClick={onFold}>
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
    setTimeout(setting(isCopied, false), COPIED_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()} aria-label={`Copy the number ${id}`}>
      {isCopied.value ? 'copied' : 'copy'}
    </button>
  );
}

interface TranscriptRowProps extends Pick<MessageProps, 'words' | 'isUnfolded'> {
  readonly row: Row;
  readonly index: number;
  readonly isMarked: boolean;
  readonly onFold: (id: number, event: MouseEvent) => void;
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** A message. If the message is the first message of its day, the day is shown above it. */
export function TranscriptRow({ row, words, index, isMarked, isUnfolded, onFold }: TranscriptRowProps) {
  const fold = useRef(onFold);
  fold.current = onFold;
  const { entry, startsDay, continues } = row;
  // Preact does not render the same element object again, so scrolling renders only the rows that become visible.
  const message = useMemo(
    () => (
      <TranscriptMessage
        entry={entry}
        continues={continues}
        words={words}
        isUnfolded={isUnfolded}
        onFold={(event) => fold.current(entry.id, event)}
      />
    ),
    [entry, continues, words, isUnfolded],
  );
  const kind = entry.eventText.heading === '' ? 'settles' : continues ? 'continues' : 'speaks';
  return (
    <>
      {startsDay && <p class="day">{DAY.format(new Date(entry.at))}</p>}
      <article
        id={`m-${entry.id}`}
        class={`message ${entry.from} ${kind}${isMarked ? ' marked' : ''}`}
        aria-label={`${visible(entry.name)}, message ${entry.id}`}
        tabIndex={-1}
        aria-posinset={index + 1}
        aria-setsize={-1}
      >
        {message}
      </article>
    </>
  );
}
