import { plural } from '../../../text/counted.ts';
import { RECORD_PATH } from '../../../text/records/contract-change.ts';
import { type Members, numberIn, recordsIn, textIn } from '../../../transcript/message.ts';

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
 *
 * @param section a section of the answer of the operation `changes`
 */
export function changedRecords(since: string, section: Members): ChangedRecords | undefined {
  const records = recordsIn(section, 'records').map((one) => ({
    id: textIn(one, 'record'),
    changes: recordsIn(one, 'changes'),
  }));
  const listed = records.reduce((sum, { changes }) => sum + changes.length, 0);
  if (listed !== numberIn(section, 'count') || records.some(({ id }) => id === '')) return undefined;
  const isRemoved = ({ changes }: { readonly changes: readonly Members[] }): boolean =>
    changes.some((change) => change.kind === 'REMOVED' && RECORD_PATH.test(textIn(change, 'path')));
  return {
    since,
    shown: new Set(records.filter((one) => !isRemoved(one)).map(({ id }) => id)),
    removed: records.filter(isRemoved).map(({ id }) => id),
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
