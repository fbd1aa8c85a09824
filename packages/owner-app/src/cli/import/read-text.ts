import { visible } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** The longest file that is read. */
export const MOST_BYTES = 1_000_000;

export interface ReadText {
  readonly text: string;
  /** What was left out of the text, in words. */
  readonly left: readonly string[];
}

/**
 * The text in the bytes of a file: with line feeds only, and without byte order mark, front matter and characters that a
 * reader does not see. Agents would read the latter, and the owner who looks at the session would not.
 *
 * @throws CliError with the exit code USAGE if the bytes are no text in UTF-8
 */
export function readText(bytes: Uint8Array, name: string): ReadText {
  if (bytes.length > MOST_BYTES)
    throw sourceFault(name, `is longer than ${MOST_BYTES / 1_000_000} MB: give one specification`);
  const decoded = decode(bytes);
  if (decoded === undefined || decoded.includes('\0'))
    throw sourceFault(name, 'is not a text in UTF-8: give Markdown, or the JSON of an issue');
  const { text, hidden } = withoutHidden(decoded);
  const [frontMatter = ''] = /^---\n(?:[^\n]*\n){0,200}?---\n/.exec(text) ?? [];
  return {
    text: text.slice(frontMatter.length),
    left: [
      ...(hidden > 0 ? [`${name}: ${hidden} invisible characters`] : []),
      ...(frontMatter === '' ? [] : [`${name}: the front matter`]),
    ],
  };
}

/** The text with line feeds only and without invisible characters, and how many these are. */
export function withoutHidden(given: string): { readonly text: string; readonly hidden: number } {
  const letters = Array.from(given.replaceAll(/\r\n?/g, '\n'));
  const shown = letters.filter((letter) => visible(letter) === letter);
  return { text: shown.join(''), hidden: letters.length - shown.length };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A fault of what `--from` names. */
export const sourceFault = (name: string, what: string): CliError =>
  new CliError(EXIT.USAGE, `${name} ${what}. Nothing was created.`);
