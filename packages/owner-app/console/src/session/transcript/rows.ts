import type { Entry } from './entries.ts';

/** An entry as a row of the list. */
export interface Row {
  readonly entry: Entry;
  /** Whether the entry is the first one of its day. */
  readonly startsDay: boolean;
  /** Whether the entry has one line and the same speaker as the entry before. The speaker's name is then not shown again. */
  readonly continues: boolean;
}

const TOGETHER_MS = 10 * 60_000;

export const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.map((entry, index) => {
    const before = entries[index - 1];
    const startsDay = before === undefined || dayOf(before.at) !== dayOf(entry.at);
    return { entry, startsDay, continues: !startsDay && before !== undefined && goesOn(before, entry) };
  });

/** The date of an entry, by the time zone of the browser. */
const dayOf = (at: string): string => new Date(at).toDateString();

const goesOn = (before: Entry, entry: Entry): boolean =>
  before.from === entry.from &&
  isBrief(before) &&
  isBrief(entry) &&
  Date.parse(entry.at) - Date.parse(before.at) < TOGETHER_MS;

/** Whether an entry consists of a heading alone. */
const isBrief = ({ eventText }: Entry): boolean =>
  eventText.heading !== '' &&
  eventText.text === undefined &&
  eventText.parts === undefined &&
  eventText.outcome === undefined;

const LINE_PX = 24;
const HEAD_PX = 34;
const LETTER_PX = 7.5;
const LABEL_PX = 140;

/** Estimates the height of a row that was not measured yet. With a good estimate the scroll bar does not jump. */
export function guessHeight({ entry: { eventText }, startsDay, continues }: Row, widthPx: number): number {
  const { heading, text = '', parts = [], outcome } = eventText;
  const head = heading === '' ? 0 : continues ? LINE_PX + 4 : HEAD_PX + 16;
  const partLines = parts.reduce((sum, { title = '', text: words = '', evidence = [] }) => {
    const excerpts = evidence.reduce((more, { excerpt }) => more + 1 + linesOf(excerpt, widthPx - LABEL_PX), 0);
    return sum + Math.max(1, (title === '' ? 0 : 1) + linesOf(words, widthPx - LABEL_PX)) + excerpts;
  }, 0);
  const lines = linesOf(text, widthPx) + partLines;
  return head + lines * LINE_PX + (outcome ? LINE_PX + 24 : 0) + (startsDay ? 40 : 0);
}

const linesOf = (text: string, widthPx: number): number => {
  if (text === '') return 0;
  const letters = Math.max(20, widthPx / LETTER_PX);
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
};
