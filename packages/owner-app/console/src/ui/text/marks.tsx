import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { LEVEL_TEXTS } from '../../../../src/text/record-words.ts';
import { visible } from '../../../../src/text/visible.ts';
import { toggling } from '../../state/setting.ts';
import { Badge } from './shown.tsx';

/** Shows removed words. A hidden text announces the removal, because few screen readers announce the element `del`. */
export function Removed({ text }: { readonly text: string }) {
  return (
    <del>
      <span class="unseen">removed: </span>
      {visible(text)}
      <span class="unseen"> (end of removed)</span>
    </del>
  );
}

/** Shows added words. A hidden text announces the addition to screen readers. */
export function Inserted({ text }: { readonly text: string }) {
  return (
    <ins>
      <span class="unseen">inserted: </span>
      {visible(text)}
      <span class="unseen"> (end of inserted)</span>
    </ins>
  );
}

const MARKS = /\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}/g;

/**
 * Shows a text in which the service has marked words as `[-removed-] {+added+}`: removed words are struck out, and
 * added words are underlined.
 */
export function MarkedChange({ words }: { readonly words: string }) {
  const pieces = [];
  let end = 0;
  for (const { 0: whole, 1: removed, 2: added, index } of words.matchAll(MARKS)) {
    pieces.push(visible(words.slice(end, index)));
    pieces.push(
      removed === undefined ? <Inserted key={index} text={added ?? ''} /> : <Removed key={index} text={removed} />,
    );
    end = index + whole.length;
  }
  return (
    <div class="said word-diff">
      {pieces}
      {visible(words.slice(end))}
    </div>
  );
}

/** Shows on what evidence rests: what agents have written is plain, a run of a command is good. */
export const Level = ({ of }: { readonly of: keyof typeof LEVEL_TEXTS }) => (
  <Badge tone={of === 'claimed' ? 'plain' : 'good'}>{LEVEL_TEXTS[of]}</Badge>
);

interface CommitLinkProps {
  readonly commit: string;
  /** The https address of the commit's web page. Null if the address is not known. */
  readonly address: string | null;
}

/** Shows the beginning of a commit's hash, as a link if `address` is set. The tooltip contains the whole hash. */
export function CommitLink({ commit, address }: CommitLinkProps) {
  const hash = <code title={commit}>{commit.slice(0, 12)}</code>;
  if (!address?.startsWith('https://')) return hash;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {hash}
    </a>
  );
}

interface FoldedProps {
  /** True for long content, which is folded. Other content is shown in full. */
  readonly isLong: boolean;
  /** The name of the content in the label of the button, such as `d_4`. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** Shows the first lines of long content, with a button that shows the rest. */
export function Folded({ isLong, of, children }: FoldedProps) {
  const isOpen = useSignal(false);
  if (!isLong) return <>{children}</>;
  return (
    <div class="folding">
      <div class={isOpen.value ? undefined : 'folded'}>{children}</div>
      <button type="button" class="quiet fold" aria-expanded={isOpen.value} onClick={toggling(isOpen)}>
        {isOpen.value ? `Fold ${of}` : `Show all of ${of}`}
      </button>
    </div>
  );
}
