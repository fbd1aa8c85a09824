const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const lettersOf = (text: string): string[] => Array.from(segments.segment(text), ({ segment }) => segment);

const letterWidth = (letter: string): number => (WIDE.test(letter) ? 2 : 1);

/** Columns that a text without escape sequences takes in a terminal. */
export const textWidth = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text) ? text.length : lettersOf(text).reduce((sum, letter) => sum + letterWidth(letter), 0);

/**
 * The text on as many lines as it needs; line breaks of its own stay.
 *
 * @param longWords what happens to a word longer than a line: cut it, or keep what somebody will copy in one piece
 */
export function wrapText(text: string, columns: number, longWords: 'cut' | 'keep' = 'cut'): string[] {
  const width = Math.max(10, columns);
  return text.split('\n').flatMap((line) => wrapLine(line.replace(/\t/g, '  '), width, longWords));
}

function wrapLine(line: string, width: number, longWords: 'cut' | 'keep'): string[] {
  if (textWidth(line) <= width) return [line.trimEnd()];
  const lines: string[] = [];
  let current = '';
  const words = line.split(/(?<=\s)/);
  for (const word of longWords === 'cut' ? words.flatMap((part) => cutWord(part, width)) : words) {
    if (current !== '' && textWidth((current + word).trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += word;
  }
  return [...lines, current.trimEnd()];
}

function cutWord(word: string, width: number): string[] {
  if (textWidth(word.trimEnd()) <= width) return [word];
  const pieces: string[] = [''];
  let used = 0;
  for (const letter of lettersOf(word)) {
    used += letterWidth(letter);
    if (used > width) {
      pieces.push('');
      used = letterWidth(letter);
    }
    pieces[pieces.length - 1] += letter;
  }
  return pieces;
}

/** Cuts to a width and says so with an ellipsis. */
export function shorten(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  for (const letter of lettersOf(text)) {
    if (textWidth(kept + letter) > columns - 1) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

export const padText = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));
