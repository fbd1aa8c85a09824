import { median } from '../statistics.ts';

/** What the guard measures, with the unit of each figure. */
export const FIGURES = [
  { name: 'turn', unit: '×', what: 'processor time of a turn / of the calibration' },
  { name: 'read', unit: '×', what: 'processor time of a read / of the calibration' },
  { name: 'poll', unit: '×', what: 'processor time of a woken poll / of the calibration' },
  { name: 'version', unit: '×', what: 'processor time of parley --version / of bare Node' },
  { name: 'help', unit: '×', what: 'processor time of parley help / of bare Node' },
  { name: 'session', unit: 'KiB', what: 'memory that is kept of a session that was read' },
] as const;

export type Measured = Readonly<Record<(typeof FIGURES)[number]['name'], number>>;

/** A figure may be this much higher than the recorded one: more than two runs of the same code differ. */
export const ALLOWANCE = 0.15;

/**
 * The allowance on a processor that has no record: it finds work that is done many times over. The hash of an event and the
 * parsing of a request differ by as much between processors.
 */
export const ALLOWANCE_ELSEWHERE = 1;

export const highest = (recorded: number, allowance = ALLOWANCE): number => recorded * (1 + allowance);

export interface Judged {
  readonly name: string;
  readonly unit: string;
  readonly measured: number;
  readonly recorded: number;
  /** By how much the figure is higher than the recorded one, in whole percent. Negative if it is lower. */
  readonly percent: number;
  readonly isTooHigh: boolean;
}

/** Compares each figure with the recorded one. */
export const judge = (measured: Measured, recorded: Measured, allowance = ALLOWANCE): Judged[] =>
  FIGURES.map(({ name, unit }) => ({
    name,
    unit,
    measured: measured[name],
    recorded: recorded[name],
    percent: Math.round((measured[name] / recorded[name] - 1) * 100),
    isTooHigh: measured[name] > highest(recorded[name], allowance),
  }));

/** Combines several measurements by figure. */
const combined = (measurements: readonly Measured[], combine: (values: readonly number[]) => number): Measured => {
  const of = (name: keyof Measured): number => combine(measurements.map((measured) => measured[name]));
  return {
    turn: of('turn'),
    read: of('read'),
    poll: of('poll'),
    version: of('version'),
    help: of('help'),
    session: of('session'),
  };
};

/** The lowest value of each figure: what else runs on the machine only makes a figure higher. */
export const lowest = (measurements: readonly Measured[]): Measured =>
  combined(measurements, (values) => Math.min(...values));

export const middle = (measurements: readonly Measured[]): Measured => combined(measurements, median);
