import type { Bound, Figure } from './bench.ts';
import type { Measured } from './rounds.ts';

const HALF_BAR = 10;
const BAR = 4 * HALF_BAR;

export const COLUMNS = ['figure', 'ours', 'floor', 'ratio', 'min–max', 'target', '', '0 … 1 (│) … 4'] as const;

/** The cells of a figure's row in the table. In the last cell, the mark `│` shows where the floor is. */
export function rowOf({ case: name, figure, ours, floor, ratio, meetsTarget }: Measured): readonly string[] {
  const beside = figure.beside === undefined ? '' : ` beside ${figure.beside}`;
  return [
    [`${figure.name}${beside}`, ...(name === '' ? [] : [name])].join(', '),
    shown(ours, figure.unit),
    shown(floor, figure.unit),
    `${shownRatio(ratio.median)} ×`,
    `${shownRatio(ratio.min)}–${shownRatio(ratio.max)}`,
    shownTarget(figure),
    meetsTarget === undefined ? '' : meetsTarget ? 'met' : 'MISSED',
    bar(ratio.median),
  ];
}

function shownTarget({ ratio, limit, unit }: Figure): string {
  const parts = [ratio && `${shownBound(ratio)} ×`, limit && `${shownBound(limit)} ${unit}`];
  return parts.filter((part) => part !== undefined).join(', ');
}

const shownBound = (bound: Bound): string =>
  'atLeast' in bound ? `≥ ${bound.atLeast.toLocaleString('en')}` : `≤ ${bound.atMost.toLocaleString('en')}`;

const shownRatio = (ratio: number): string => ratio.toFixed(ratio < 0.1 ? 3 : 2);

function shown(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : 2;
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

function bar(ratio: number): string {
  const length = Math.min(BAR, Math.round(ratio * HALF_BAR));
  const cells = '█'.repeat(length).padEnd(HALF_BAR, '·');
  return `${cells.slice(0, HALF_BAR)}│${cells.slice(HALF_BAR)}${ratio * HALF_BAR > BAR ? '→' : ''}`;
}
