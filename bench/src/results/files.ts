import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Bench } from '../bench.ts';
import type { Outcome } from './outcome.ts';

/** The results of one machine, from one file of `bench/results`. `name` is the file name without `.json`. */
export interface MachineResults {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
}

/** A stored figure has no target. `restore` adds the current target of its bench. */
const StoredFigure = z.strictObject({
  case: z.string(),
  figure: z.string(),
  beside: z.string().optional(),
  ours: z.number(),
  floor: z.number(),
  ratio: z.strictObject({ median: z.number(), min: z.number(), max: z.number() }),
});

const StoredBench = z.strictObject({
  bench: z.string(),
  conditions: z.strictObject({
    date: z.string(),
    machine: z.string(),
    versions: z.string(),
    peers: z.array(z.string()).readonly().default([]),
    rounds: z.string(),
    load: z.string(),
  }),
  failed: z.string().optional(),
  figures: z.array(StoredFigure),
});

const StoredFile = z.array(StoredBench);

/**
 * Reads the results of each machine, in the order of the file names.
 *
 * @throws Error with the path of a file that does not contain results
 */
export function readResults(folder: string, benches: readonly Bench[]): MachineResults[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: basename(file, '.json'),
    outcomes: readStored(join(folder, file)).flatMap((stored) => restore(stored, benches)),
  }));
}

/** Writes the outcome of one bench to a machine's file. The outcomes of other benches in the file stay. */
export function saveOutcome(file: string, outcome: Outcome, benches: readonly Bench[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const kept = readStored(file).filter(({ bench }) => bench !== outcome.bench.name);
  const order = benches.map(({ name }) => name);
  const all = [...kept, store(outcome)].sort((one, other) => order.indexOf(one.bench) - order.indexOf(other.bench));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

type Stored = z.infer<typeof StoredBench>;

function readStored(file: string): Stored[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  try {
    return StoredFile.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is not a file of results.`, { cause: error });
  }
}

function store({ bench, conditions, measured, failed }: Outcome): Stored {
  const figures = measured.map(({ case: name, figure, ours, floor, ratio: { median, min, max } }) => ({
    case: name,
    figure: figure.name,
    ...(figure.beside === undefined ? {} : { beside: figure.beside }),
    ours: rounded(ours),
    floor: rounded(floor),
    ratio: { median: rounded(median), min: rounded(min), max: rounded(max) },
  }));
  return { bench: bench.name, conditions, ...(failed === undefined ? {} : { failed }), figures };
}

/** Rounds to five significant digits. The tables show fewer digits. */
const rounded = (value: number): number => Number(value.toPrecision(5));

/**
 * Combines the stored figures with the benches of this version. Benches and figures that no longer exist are dropped.
 */
function restore({ bench: name, conditions, figures, failed }: Stored, benches: readonly Bench[]): Outcome[] {
  const bench = benches.find((one) => one.name === name);
  if (!bench) return [];
  const measured = figures.flatMap(({ figure: figureName, beside, ...rest }) => {
    const figure = bench.figures.find((one) => one.name === figureName && one.beside === beside);
    return figure ? [{ ...rest, figure }] : [];
  });
  return [{ bench, conditions, measured, ...(failed === undefined ? {} : { failed }) }];
}
