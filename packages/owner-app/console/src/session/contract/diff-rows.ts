export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '@' | '\\';
  readonly text: string;
  /** Line number in the old text. Null if the old text does not contain the line. */
  readonly before: number | null;
  /** Line number in the new text. Null if the new text does not contain the line. */
  readonly after: number | null;
}

/** A row of the side-by-side view. A side without a line is null. */
export interface DiffPair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff, without its file headers. */
export function readDiff(text: string): DiffLine[] {
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
export function pairLines(lines: readonly DiffLine[]): DiffPair[] {
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
