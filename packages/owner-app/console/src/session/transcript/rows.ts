import type { Part } from '@parley/core/words';
import { digestIn, type Entry } from './entries.ts';

export interface Row {
  readonly entry: Entry;
  /** Whether this is the first entry of its day. */
  readonly startsDay: boolean;
  /**
   * Whether the entry is a single line that follows a single line by the same speaker, on the same day and within ten
   * minutes. The speaker's name is then not repeated.
   */
  readonly continues: boolean;
}

const TOGETHER_MS = 10 * 60_000;

export const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.map((entry, index) => {
    const before = entries[index - 1];
    const startsDay = before === undefined || dayOf(before.at) !== dayOf(entry.at);
    return { entry, startsDay, continues: !startsDay && before !== undefined && goesOn(before, entry) };
  });

/** The day of an entry, in the time zone of the browser. */
const dayOf = (at: string): string => new Date(at).toDateString();

const goesOn = (before: Entry, entry: Entry): boolean =>
  before.from === entry.from &&
  before.name === entry.name &&
  isBrief(before) &&
  isBrief(entry) &&
  Date.parse(entry.at) - Date.parse(before.at) < TOGETHER_MS;

/** Whether an entry consists of a heading only. */
const isBrief = ({ eventText }: Entry): boolean =>
  eventText.heading !== '' &&
  eventText.text === undefined &&
  eventText.parts === undefined &&
  eventText.outcome === undefined;

const LINE_PX = 24;
const HEAD_PX = 34;
const LETTER_PX = 7.5;
const LABEL_PX = 140;

/**
 * Estimates the height of a folded row that was not measured yet. With a good estimate, the scroll bar hardly jumps.
 */
export function guessHeight({ entry, startsDay, continues }: Row, widthPx: number): number {
  const { heading, text = '', parts = [], outcome } = entry.eventText;
  const head = heading === '' ? 0 : continues ? LINE_PX + 4 : HEAD_PX + 16;
  const digest = digestIn(entry);
  const lines = digest
    ? 1 + digest.lines.reduce((sum, line) => sum + linesOf(line.text, widthPx - LABEL_PX), 0)
    : linesOf(text, widthPx) + parts.reduce((sum, part) => sum + partLines(part, widthPx), 0);
  return head + lines * LINE_PX + (outcome ? LINE_PX + 24 : 0) + (startsDay ? 40 : 0);
}

function partLines({ title = '', text = '', evidence = [] }: Part, widthPx: number): number {
  const excerpts = evidence.reduce((sum, { excerpt }) => sum + 1 + linesOf(excerpt, widthPx - LABEL_PX), 0);
  return Math.max(1, (title === '' ? 0 : 1) + linesOf(text, widthPx - LABEL_PX)) + excerpts;
}

const linesOf = (text: string, widthPx: number): number => {
  if (text === '') return 0;
  const letters = Math.max(20, widthPx / LETTER_PX);
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
};
