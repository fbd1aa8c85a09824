import { useMemo } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { type DiffLine, pairLines, readDiff } from './diff-rows.ts';

interface DiffViewProps {
  /** A unified diff of the rendered Markdown. */
  readonly text: string;
  readonly isTruncated: boolean;
  readonly isSideBySide: boolean;
}

export function DiffView({ text, isTruncated, isSideBySide }: DiffViewProps) {
  const lines = useMemo(() => readDiff(text), [text]);
  if (lines.length === 0) return <p class="muted">The text is the same.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
      <div class="scroll-x diff" tabIndex={0}>
        {isSideBySide ? <SideBySide lines={lines} /> : <OneColumn lines={lines} />}
      </div>
      {isTruncated && (
        <p class="muted">The diff is cut at 60,000 characters. To see all changes, read both revisions in full.</p>
      )}
    </>
  );
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place', '\\': 'place' } as const;

function OneColumn({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <table>
      <caption class="skip">Text diff</caption>
      <tbody>
        {lines.map((line, index) => (
          <tr key={`${index} ${line.sign}`} class={KINDS[line.sign]}>
            <td class="number">{line.before}</td>
            <td class="number">{line.after}</td>
            <td class="line">
              {line.sign === '+' || line.sign === '-' ? line.sign : ' '} {visible(line.text)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SideBySide({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <table class="side-by-side">
      <caption class="skip">Side by side: the old text on the left, the new text on the right</caption>
      <tbody>
        {pairLines(lines).map(({ left, right }, index) => (
          <tr key={`${index} ${left?.sign}${right?.sign}`}>
            <Side line={left} number={left?.before ?? null} />
            <Side line={right} number={right?.after ?? null} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ line, number }: { readonly line: DiffLine | null; readonly number: number | null }) {
  const kind = line ? KINDS[line.sign] : 'nothing';
  return (
    <>
      <td class={`number ${kind}`}>{number}</td>
      <td class={`line ${kind}`}>{line && visible(line.text)}</td>
    </>
  );
}
