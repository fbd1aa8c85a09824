import { firstWords } from '../../../kernel/text/first-words.ts';
import { bullets, code, inline } from '../markdown.ts';
import type { ReportedEntry } from './facts.ts';

const MAX_TEXT_CHARS = 300;
/** Maximum length of a text that the reader acts on, such as a decision or a report on the gates. */
export const MAX_LONG_TEXT_CHARS = 700;
/** Maximum number of entries in a list of which the newest entries are shown. */
const NEWEST = 12;

/** The end of a shortened text. */
export const SHORTENED = ' …';

/** The text, shortened after a whole word. `SHORTENED` marks a shortened text. */
export const short = (text: string, max = MAX_TEXT_CHARS): string => firstWords(text, max, SHORTENED);

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
