import type { Bench } from './bench.ts';
import type { Measured } from './rounds.ts';
import { median } from './statistics.ts';

const HALF_BAR = 10;
const BAR = 4 * HALF_BAR;

/** What is compared, then a line for each figure; the mark in a bar is the floor. */
export function renderBench({ name, ours, floor }: Bench, measured: readonly Measured[]): string {
  const about = [`\n${name}`, `  ours:  ${ours}`, `  floor: ${floor}`];
  return [...about, ...renderRows([HEADER, ...measured.map(rowOf)])].join('\n');
}

const HEADER = ['figure', 'ours', 'floor', 'ratio', 'min–max', 'target', '', '0 … 1 (|) … 4'];

function rowOf({ case: name, figure, unit, rounds, ratio, target, meetsTarget }: Measured): string[] {
  return [
    name === '' ? figure : `${figure}, ${name}`,
    shown(median(rounds.map(({ ours }) => ours)), unit),
    shown(median(rounds.map(({ floor }) => floor)), unit),
    `${ratio.median.toFixed(2)} ×`,
    `${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
    meetsTarget ? 'met' : 'MISSED',
    bar(ratio.median),
  ];
}

function shown(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : 2;
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

function bar(ratio: number): string {
  const length = Math.min(BAR, Math.round(ratio * HALF_BAR));
  const cells = '█'.repeat(length).padEnd(HALF_BAR, '·');
  return `${cells.slice(0, HALF_BAR)}|${cells.slice(HALF_BAR)}${ratio * HALF_BAR > BAR ? '→' : ''}`;
}

function renderRows(rows: readonly (readonly string[])[]): string[] {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
