import { useMemo } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { WideBox } from '../../ui/text/boxes.tsx';

export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '@' | '\\';
  readonly text: string;
  /** Line number in the old text. Null if the old text does not contain the line. */
  readonly before: number | null;
  /** Line number in the new text. Null if the new text does not contain the line. */
  readonly after: number | null;
}

/** A row of the side-by-side view. A side without a line is null. */
interface DiffPair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff, without its file headers. */
function readDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let isInHunk = false;
  for (const line of text.split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      isInHunk = true;
      lines.push({ sign: '@', text: line, before: null, after: null });
    } else if (isInHunk && line !== '') {
      const read = lineOf(line, before, after);
      if (read.before !== null) before += 1;
      if (read.after !== null) after += 1;
      lines.push(read);
    }
  }
  return lines;
}

function lineOf(line: string, before: number, after: number): DiffLine {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      return { sign: '+', text, before: null, after };
    case '-':
      return { sign: '-', text, before, after: null };
    case ' ':
      return { sign: ' ', text, before, after };
    default:
      return { sign: '\\', text: line, before: null, after: null };
  }
}

/**
 * Pairs the lines for the side-by-side view. If added lines directly follow removed lines, the first removed line is
 * paired with the first added line, the second with the second, and so on.
 */
function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === '-') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.sign === '+') {
      added.push(line);
    } else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

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
      <WideBox class="diff">{isSideBySide ? <SideBySide lines={lines} /> : <OneColumn lines={lines} />}</WideBox>
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
