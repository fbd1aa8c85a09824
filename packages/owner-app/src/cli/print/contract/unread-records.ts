import type { Answer } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { RECORD_PATH } from '../../../text/records/contract-change.ts';
import type { DocumentLine } from './document-lines.ts';

type Section = Answer<'changes'>['sections'][number];

/** The records of a section that differ from the text which the owner read in the revision `since`. */
export interface ChangedRecords {
  readonly since: string;
  /** Ids of the new and the changed records. */
  readonly shown: ReadonlySet<string>;
  readonly removed: readonly string[];
}

/**
 * The changed records of a section. Undefined if the answer does not contain all changes of the section, or if a change
 * is outside of records: then the whole section is shown.
 */
export function changedRecords(since: string, { count, records }: Section): ChangedRecords | undefined {
  const named = records.flatMap(({ record, changes }) => (record === null ? [] : [{ id: record, changes }]));
  const listed = records.reduce((sum, { changes }) => sum + changes.length, 0);
  if (listed !== count || named.length < records.length) return undefined;
  const isRemoved = ({ changes }: Pick<Section['records'][number], 'changes'>): boolean =>
    changes.some(({ kind, path }) => kind === 'REMOVED' && RECORD_PATH.test(path));
  return {
    since,
    shown: new Set(named.filter((one) => !isRemoved(one)).map(({ id }) => id)),
    removed: named.filter(isRemoved).map(({ id }) => id),
  };
}

/**
 * The lines of a section without its unchanged records, and a line that counts these. A heading or the head of a table is
 * kept if a record below it is. Returns undefined if the lines have no records, or do not contain each changed record.
 *
 * @param lines the lines below the heading of the section
 */
export function withoutUnchanged(
  lines: readonly DocumentLine[],
  changed: ChangedRecords,
): (DocumentLine | string)[] | undefined {
  const mark = lines.find(({ record }) => record)?.record?.mark;
  const kept: DocumentLine[] = [];
  const found = new Set<string>();
  let waiting: DocumentLine[] = [];
  let state: 'between' | 'kept' | 'left out' = 'between';
  let unchanged = 0;
  for (const line of lines) {
    if (line.record) {
      const isShown = changed.shown.has(line.record.id);
      state = isShown ? 'kept' : 'left out';
      if (isShown) {
        found.add(line.record.id);
        kept.push(...waiting.splice(0));
      } else unchanged += 1;
    } else if (state !== 'between' && endsRecord(line, mark)) {
      state = 'between';
      waiting = [];
    }
    if (state === 'kept') kept.push(line);
    else if (state === 'between') waiting.push(line);
  }
  if (mark === undefined || found.size < changed.shown.size) return undefined;
  return [...(kept.length === 0 ? [] : ['', ...trimmed(kept)]), ...unchangedLines(unchanged, changed)];
}

/** The lines without empty lines at the beginning and the end. */
function trimmed(lines: readonly DocumentLine[]): readonly DocumentLine[] {
  const isText = ({ text }: DocumentLine): boolean => text !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

/** A row ends with its line, a record with a heading at the next heading of its level, and an item at the next heading. */
const endsRecord = ({ text, isCode }: DocumentLine, mark = ''): boolean =>
  !isCode && (mark === '| ' || (mark.startsWith('#') ? text.startsWith(mark) : /^#{1,6} /.test(text)));

const unchangedLines = (unchanged: number, { since, removed }: ChangedRecords): string[] => [
  ...(removed.length === 0 ? [] : ['', `Removed since ${since}: ${removed.map((id) => `\`${id}\``).join(', ')}.`]),
  ...(unchanged === 0
    ? []
    : ['', `${plural(unchanged, 'record')} unchanged since ${since}, when you read the section.`]),
  '',
];
