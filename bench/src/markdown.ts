import type { Bench } from './bench.ts';
import type { Conditions } from './conditions.ts';
import type { Measured } from './rounds.ts';
import { COLUMNS, rowOf } from './rows.ts';

/** A bench that has run, with its note. */
export interface Outcome {
  readonly bench: Bench;
  readonly measured: readonly Measured[];
  readonly note: string | undefined;
}

/** The page to commit: the conditions, then a table and a note for each bench. */
export function renderPage(conditions: Conditions, outcomes: readonly Outcome[]): string {
  return `${[renderHead(conditions, outcomes), ...outcomes.map(renderOutcome)].join('\n\n')}\n`;
}

function renderHead(conditions: Conditions, outcomes: readonly Outcome[]): string {
  const judged = outcomes.flatMap(({ measured }) => measured).filter(({ meetsTarget }) => meetsTarget !== undefined);
  const met = judged.filter(({ meetsTarget }) => meetsTarget).length;
  const facts = [
    ['Command', `\`${conditions.command}\``],
    ['Date', conditions.date],
    ['Machine', conditions.machine],
    ['Versions', conditions.versions],
    ['Rounds', conditions.rounds],
    ['Load average before, after', conditions.load],
    ['Targets met', `${met} of ${judged.length}`],
  ];
  return [
    '# Results',
    '',
    '<!-- Written by the command below. What is said after a table stands in bench/notes and is kept. -->',
    '',
    'What the figures mean, and what they do not, stands in [README.md](README.md). Only ratios of one run mean anything.',
    '',
    ...renderTable(['', ''], facts),
  ].join('\n');
}

function renderOutcome({ bench, measured, note }: Outcome): string {
  const table = renderTable([...COLUMNS], measured.map(rowOf));
  const about = [`## ${bench.name}`, '', `Ours: ${bench.ours}\\`, `Floor: ${bench.floor}`, ''];
  return [...about, ...table, ...(note === undefined ? [] : ['', note.trim()])].join('\n');
}

function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)];
}
