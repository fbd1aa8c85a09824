import type { Bench } from '../bench.ts';
import type { MachineResults } from './files.ts';
import type { Outcome } from './outcome.ts';
import { type Measured, meetsTarget } from './rounds.ts';
import { COLUMNS, linesAbout, nameOf, rowOf, shownRange } from './rows.ts';

export interface Noted {
  readonly bench: Bench;
  readonly note: string | undefined;
}

/** Renders the page of results: a list of the machines, then a table and a note for each bench. */
export function renderPage(machines: readonly MachineResults[], benches: readonly Noted[]): string {
  return `${[renderHead(machines), ...benches.map((noted) => renderBench(noted, machines))].join('\n\n')}\n`;
}

function renderHead(machines: readonly MachineResults[]): string {
  const row = (name: string, cell: (machine: MachineResults) => string): string[] => [name, ...machines.map(cell)];
  const each = (name: string, fact: (outcome: Outcome) => string): string[] =>
    row(name, ({ outcomes }) => [...new Set(outcomes.map(fact))].join('; '));
  return [
    '# Results',
    '',
    '<!-- Written by `pnpm bench --page` from bench/results, one file for each machine, and from bench/notes. -->',
    '',
    '[README.md](README.md) explains what the figures mean and what they do not mean. Only the ratios within one run can be compared.',
    '',
    ...renderTable(
      ['', ...machines.map(({ name }) => name)],
      [
        each('Machine', ({ conditions }) => conditions.machine),
        each('Date', ({ conditions }) => conditions.date),
        each('Versions', ({ conditions }) => conditions.versions),
        row('Peers', ({ outcomes }) => [...new Set(outcomes.flatMap(({ conditions }) => conditions.peers))].join(', ')),
        each('Rounds', ({ conditions }) => conditions.rounds),
        row('Load average before the first bench', ({ outcomes }) => outcomes[0]?.conditions.load ?? ''),
        row('Targets met', countMet),
      ],
    ),
  ].join('\n');
}

function countMet({ outcomes }: MachineResults): string {
  const judged = outcomes.flatMap(({ measured }) => measured.map(meetsTarget)).filter((isMet) => isMet !== undefined);
  const failed = outcomes.filter((outcome) => outcome.failed !== undefined).map(({ bench }) => bench.name);
  const count = `${judged.filter(Boolean).length} of ${judged.length}`;
  return failed.length === 0 ? count : `${count}; failed: ${failed.join(', ')}`;
}

interface Placed {
  readonly machine: string;
  readonly measured: Measured;
}

function renderBench({ bench, note }: Noted, machines: readonly MachineResults[]): string {
  const outcomes = machines.flatMap(({ name: machine, outcomes: all }) =>
    all.filter((outcome) => outcome.bench.name === bench.name).map((outcome) => ({ machine, ...outcome })),
  );
  const placed = outcomes.flatMap(({ machine, measured }) =>
    measured.map((one): Placed => ({ machine, measured: one })),
  );
  const names = [...new Set(placed.map(({ measured }) => nameOf(measured)))];
  const rows = names.flatMap((name) => renderFigure(placed.filter(({ measured }) => nameOf(measured) === name)));
  const [figure, ...others] = COLUMNS;
  const failures = outcomes.flatMap(({ machine, failed }) =>
    failed === undefined ? [] : ['', `Failed on ${machine}: ${failed}`],
  );
  const about = [`## ${bench.name}`, '', linesAbout(bench).join('\\\n'), ''];
  const table = rows.length === 0 ? ['Not measured.'] : renderTable([figure, 'machine', ...others], rows);
  return [...about, ...table, ...failures, ...(note === undefined ? [] : ['', note.trim()])].join('\n');
}

/**
 * Renders a figure: one row for each machine and, if there are several machines, a row for the range of their ratios.
 */
function renderFigure(placed: readonly Placed[]): string[][] {
  const rows = placed.map(({ machine, measured }, index) => {
    const [name = '', ...cells] = rowOf(measured);
    return [index === 0 ? name : '', machine, ...cells];
  });
  if (placed.length < 2) return rows;
  const ratios = placed.map(({ measured }) => measured.ratio);
  const medians = ratios.map(({ median }) => median);
  const least = Math.min(...ratios.map(({ min }) => min));
  const greatest = Math.max(...ratios.map(({ max }) => max));
  const range = `${shownRange(Math.min(...medians), Math.max(...medians))} ×`;
  return [...rows, ['', 'all', '', '', range, shownRange(least, greatest), '', '', '']];
}

function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ');
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)];
}
