import type { Answer } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { RECORD_PATH } from '../../../text/records/contract-change.ts';

type Section = Answer<'changes'>['sections'][number];

/** Matches the beginning of a record of the contract, up to the id: a heading, an item of a list, or a row of a table. */
export const RECORD = /^(#{3,6} |- (?:\[ \] )?|\| )`([^`]+)`/;
const ROW = '| ';

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

interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

/**
 * The lines of a section without its unchanged records, and a line that counts these. A heading or the head of a table is
 * kept if a record below it is. Returns undefined if the lines have no records, or do not contain each changed record.
 *
 * @param lines the lines below the heading of the section
 */
export function withoutUnchanged<Shown extends Line>(
  lines: readonly Shown[],
  changed: ChangedRecords,
): (Shown | string)[] | undefined {
  const shape = lines.map((line) => startOf(line)?.shape).find((one) => one !== undefined);
  const kept: (Shown | string)[] = [];
  const found = new Set<string>();
  let waiting: Shown[] = [];
  let state: 'between' | 'kept' | 'left out' = 'between';
  let unchanged = 0;
  for (const line of lines) {
    const start = startOf(line);
    if (start && start.shape === shape) {
      const isShown = changed.shown.has(start.id);
      state = isShown ? 'kept' : 'left out';
      if (isShown) {
        found.add(start.id);
        kept.push(...waiting.splice(0));
      } else unchanged += 1;
    } else if (state !== 'between' && endsRecord(line, shape)) {
      state = 'between';
      waiting = [];
    }
    if (state === 'kept') kept.push(line);
    else if (state === 'between') waiting.push(line);
  }
  if (shape === undefined || found.size < changed.shown.size) return undefined;
  return [...(kept.length === 0 ? [] : ['', ...trimmed(kept)]), ...unchangedLines(unchanged, changed)];
}

/** The lines without empty lines at the beginning and the end. */
function trimmed<Shown extends Line>(lines: readonly (Shown | string)[]): readonly (Shown | string)[] {
  const isText = (line: Shown | string): boolean => (typeof line === 'string' ? line : line.text) !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

function startOf({ text, isCode }: Line): { readonly shape: string; readonly id: string } | undefined {
  const [, shape, id] = (isCode ? null : RECORD.exec(text)) ?? [];
  return shape === undefined || id === undefined ? undefined : { shape, id };
}

/** A row ends with its line, a record with a heading at the next heading of its level, and an item at the next heading. */
const endsRecord = ({ text, isCode }: Line, shape = ''): boolean =>
  !isCode && (shape === ROW || (shape.startsWith('#') ? text.startsWith(shape) : /^#{1,6} /.test(text)));

const unchangedLines = (unchanged: number, { since, removed }: ChangedRecords): string[] => [
  ...(removed.length === 0 ? [] : ['', `Removed since ${since}: ${removed.map((id) => `\`${id}\``).join(', ')}.`]),
  ...(unchanged === 0
    ? []
    : ['', `${plural(unchanged, 'record')} unchanged since ${since}, when you read the section.`]),
  '',
];
