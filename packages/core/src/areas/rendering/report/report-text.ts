import { bullets, code, inline } from '../markdown.ts';
import type { ReportedEntry } from './facts.ts';

const MAX_TEXT_CHARS = 300;
/** Maximum length of a text that the reader acts on, such as a decision or a report on the gates. */
export const MAX_LONG_TEXT_CHARS = 700;
/** Maximum number of entries in a list of which the newest entries are shown. */
const NEWEST = 12;
/** Longer words are cut. */
const MAX_WORD_CHARS = 60;

/** The end of a shortened text. */
export const SHORTENED = ' …';

/** The text, shortened at the end of a word. `SHORTENED` marks a shortened text. */
export function short(text: string, max = MAX_TEXT_CHARS): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  const isInWord = /\S/.test(text.charAt(max - 1));
  const lastBlank = cut.search(/\s\S*$/);
  const end = isInWord && cut.length - lastBlank <= MAX_WORD_CHARS ? lastBlank : cut.length;
  return `${cut
    .slice(0, end)
    .trimEnd()
    .replace(/[\ud800-\udbff]$/, '')}${SHORTENED}`;
}

/** The first `limit` items as a list, followed by the number of the other items. */
export function list(items: readonly string[], limit: number, indent = ''): string {
  const more = items.length - limit;
  return bullets([...items.slice(0, limit), ...(more > 0 ? [`and ${more} more`] : [])], indent);
}

/**
 * The newest entries as a list, after the number of the earlier entries.
 * @param name the plural of what the entries are
 */
export function newest(items: readonly string[], limit: number, name: string): string {
  const earlier = items.length - Math.min(limit, NEWEST);
  const shown = earlier > 0 ? items.slice(earlier) : items;
  return bullets([...(earlier > 0 ? [`${earlier} earlier ${name} are in the log only.`] : []), ...shown]);
}

/** An entry as an item of a list, with its answers below it. */
export function entryItem({ id, what, at, text, answers = [] }: ReportedEntry): string {
  const head = [id && code(id), inline(short(what))].filter(Boolean).join(' ');
  const said = text && `: ${inline(short(text, MAX_LONG_TEXT_CHARS))}`;
  const below = answers.map(
    (answer) =>
      `\n  - ${inline(short(answer.by))}${answer.text && `: ${inline(short(answer.text, MAX_LONG_TEXT_CHARS))}`}`,
  );
  return `${head}${at ? `, ${time(at)}` : ''}${said}${below.join('')}`;
}

export const time = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
