import type { Bench } from '../bench.ts';
import type { Measured } from './rounds.ts';
import { COLUMNS, linesAbout, rowOf } from './rows.ts';

/**
 * Formats the results of a bench for the terminal: what the service, the peers and the floor do, then one line for each
 * figure.
 */
export function renderBench(bench: Bench, measured: readonly Measured[]): string {
  const about = [`\n${bench.name}`, ...linesAbout(bench).map((line) => `  ${line}`)];
  return [...about, ...renderRows([COLUMNS, ...measured.map(rowOf)])].join('\n');
}

function renderRows(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
