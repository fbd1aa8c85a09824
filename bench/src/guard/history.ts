import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { z } from 'zod';
import type { Measured } from './figures.ts';

export const Figures = z.strictObject({
  turn: z.number().positive(),
  read: z.number().positive(),
  poll: z.number().positive(),
  version: z.number().positive(),
  help: z.number().positive(),
  session: z.number().positive(),
});

const Recorded = z.strictObject({
  date: z.iso.date(),
  /** The commit that was measured, or the one below the changes that were. */
  commit: z.string(),
  /** The model of the processor, as Node names it. The ratios of another one differ by more than the allowance. */
  processor: z.string(),
  why: z.string().min(1),
  figures: Figures,
});
export type Recorded = z.output<typeof Recorded>;

/** The oldest record is first. */
const History = z.array(Recorded).min(1);

/** The model of this machine's processor. */
export const thisProcessor = (): string => cpus()[0]?.model ?? 'unknown';

/** The records of a processor: the last one is what a measurement is compared with. */
export const recordsOf = (history: readonly Recorded[], processor: string): Recorded[] =>
  history.filter((one) => one.processor === processor);

const DECIMALS = 2;

export const readHistory = (file: string): Recorded[] => History.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Appends a record, with its figures rounded. */
export function record(file: string, added: Recorded): Recorded[] {
  const figures: Measured = added.figures;
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(DECIMALS))]);
  const history = History.parse([...readHistory(file), { ...added, figures: Object.fromEntries(rounded) }]);
  writeFileSync(file, `${JSON.stringify(history, null, 2)}\n`);
  return history;
}
