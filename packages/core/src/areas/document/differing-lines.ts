/**
 * The lines in which two texts differ. They begin at the position `start` in both texts, and end at the position
 * `beforeEnd` in the first text and `afterEnd` in the second. Positions are in UTF-16 units.
 */
export interface DifferingLines {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

export function differingLines(before: string, after: string): DifferingLines {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  const start = same === before.length && same === after.length ? same : lineStart(before, same);
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const cut = wholeLines(before, after, tail);
  return { start, beforeEnd: before.length - cut, afterEnd: after.length - cut };
}

/**
 * Shortens the equal end of two texts until it starts at the beginning of a line in both texts. Returns the new length
 * of the equal end.
 */
function wholeLines(before: string, after: string, tail: number): number {
  const isWhole = [before, after].every((text) => lineStart(text, text.length - tail) === text.length - tail);
  if (isWhole) return tail;
  const lineEnd = before.indexOf('\n', before.length - tail);
  return lineEnd < 0 ? 0 : before.length - lineEnd - 1;
}

const lineStart = (text: string, index: number): number => (index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1);

export function countLines(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

/** Position of the line that is `lines` lines before the line at `start`. 0 if there are fewer lines. */
export function linesBack(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at > 0; left -= 1) at = lineStart(text, at - 1);
  return at;
}

/** Position after the `lines` lines that begin at `start`. The end of the text if there are fewer lines. */
export function linesAhead(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < text.length; left -= 1) at = text.indexOf('\n', at) + 1 || text.length;
  return at;
}
