import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, recordsIn, textIn } from '../../transcript/message.ts';

/** Formats a diff: a table of the changed values in the contract, then a patch of its text. */
export function formatDiff(diff: Members, page: Page): string[] {
  const text = textIn(diff, 'text').replace(/\n$/, '');
  const fact = (label: string, value: string): string => `${page.paint('dim', label)}  ${visibleLine(value)}`;
  return [
    `${page.paint('bold', textIn(diff, 'revision_id'))}  ${visibleLine(textIn(diff, 'title'))}`,
    fact('content_hash       ', textIn(diff, 'content_hash')),
    fact('compared with       ', baseOf(diff)),
    fact('reason             ', textIn(diff, 'reason')),
    '',
    ...changeLines(diff, page),
    ...(text === '' ? ['The text is the same.'] : text.split('\n').map((line) => patchLine(line, page))),
    ...(diff.truncated === true ? ['', 'The text was cut at 60,000 characters. The table contains all changes.'] : []),
  ];
}

function baseOf(diff: Members): string {
  const base = membersOf(diff.base);
  const id = textIn(base, 'revision_id');
  return id === '' ? 'the empty contract' : `${id} ${textIn(base, 'content_hash')}`;
}

function changeLines(diff: Members, { columns, paint }: Page): string[] {
  const rows = recordsIn(diff, 'ops').map((op) => [
    textIn(op, 'op'),
    visible(textIn(op, 'path')) || '(the whole contract)',
  ]);
  if (rows.length === 0) return ['No value changed.', ''];
  const table: Table = { heads: ['change', 'at'], rows, flexible: 1 };
  return [...tableLines(table, columns, paint), ''];
}

function patchLine(line: string, { paint }: Page): string {
  const shown = visible(line);
  if (/^(\+\+\+|---) /.test(line)) return paint('bold', shown);
  if (line.startsWith('@@')) return paint('cyan', shown);
  if (line.startsWith('~')) return wordsLine(shown, paint);
  if (line.startsWith('+')) return paint('green', shown);
  return line.startsWith('-') ? paint('red', shown) : shown;
}

/** Formats a line of a word diff: `[-removed-]` in red and `{+added+}` in green. */
export const wordsLine = (line: string, paint: Page['paint']): string =>
  line
    .replace(/\[-.*?-\]/g, (removed) => paint('red', removed))
    .replace(/\{\+.*?\+\}/g, (added) => paint('green', added));
