import type { Answer } from '@parley/core/client';
import type { Page } from '../../text/page.ts';
import { tableLines } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';

type Diff = Answer<'diff'>;

/** Formats a diff: a table of the changed values in the contract, then a patch of its text. */
export function formatDiff(diff: Diff, page: Page): string[] {
  const { base, truncated } = diff;
  const text = diff.text.replace(/\n$/, '');
  const fact = (label: string, value: string): string => `${page.paint('dim', label)}  ${visibleLine(value)}`;
  return [
    `${page.paint('bold', diff.revision_id)}  ${visibleLine(diff.title)}`,
    fact('content_hash       ', diff.content_hash),
    fact('compared with       ', base ? `${base.revision_id} ${base.content_hash}` : 'the empty contract'),
    fact('reason             ', diff.reason),
    '',
    ...changeLines(diff, page),
    ...(text === '' ? ['The text is the same.'] : text.split('\n').map((line) => patchLine(line, page))),
    ...(truncated ? ['', 'The text was cut at 60,000 characters. The table contains all changes.'] : []),
  ];
}

function changeLines({ ops }: Diff, page: Page): string[] {
  const rows = ops.map(({ op, path }) => [op, path || '(the whole contract)']);
  if (rows.length === 0) return ['No value changed.', ''];
  return [...tableLines({ heads: ['change', 'at'], rows }, page), ''];
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
