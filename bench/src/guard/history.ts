import { readFileSync, writeFileSync } from 'node:fs';
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
  why: z.string().min(1),
  figures: Figures,
});
export type Recorded = z.output<typeof Recorded>;

/** The oldest record is first; the last one is what a measurement is compared with. */
const History = z.array(Recorded).min(1);

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
