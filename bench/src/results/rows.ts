import type { Bench, Bound, Figure } from '../bench.ts';
import { type Measured, meetsTarget } from './rounds.ts';

const HALF_BAR = 10;
const BAR = 4 * HALF_BAR;

export const COLUMNS = ['figure', 'ours', 'peer or floor', 'ratio', 'min–max', 'target', '', '0 … 1 (│) … 4'] as const;

/** Says what the service, the peers and the floor do in a bench. Peers and floor are left out where there are none. */
export function linesAbout({ ours, peers, floor }: Bench): string[] {
  const sides = { Ours: ours, Peers: peers, Floor: floor };
  return Object.entries(sides).flatMap(([side, text]) => (text === undefined ? [] : [`${side}: ${text}`]));
}

/**
 * Returns the table cells of a figure. The last cell is a bar for the ratio; its mark `│` stands at ratio 1, the peer or
 * floor.
 */
export function rowOf(measured: Measured): readonly string[] {
  const { figure, ours, floor, ratio } = measured;
  const isMet = meetsTarget(measured);
  return [
    nameOf(measured),
    shown(ours, figure.unit),
    shown(floor, figure.unit),
    `${shownRatio(ratio.median)} ×`,
    shownRange(ratio.min, ratio.max),
    shownTarget(figure),
    isMet === undefined ? '' : isMet ? 'met' : 'MISSED',
    bar(ratio.median),
  ];
}

export function nameOf({ case: name, figure }: Pick<Measured, 'case' | 'figure'>): string {
  const beside = figure.beside === undefined ? '' : ` beside ${figure.beside}`;
  return [`${figure.name}${beside}`, ...(name === '' ? [] : [name])].join(', ');
}

export const shownRange = (least: number, greatest: number): string => `${shownRatio(least)}–${shownRatio(greatest)}`;

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
