import { type Bench, type Bound, type Figure, type Figures, ONLY, type Prepared, type Run } from './bench.ts';
import { median } from './statistics.ts';

/**
 * One figure of one case: the values of all measured rounds. Each ratio divides our value by the floor's value of the same
 * round.
 */
export interface Measured {
  readonly case: string;
  readonly figure: Figure;
  readonly rounds: readonly { readonly ours: number; readonly floor: number; readonly ratio: number }[];
  readonly ours: number;
  readonly floor: number;
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
  /** Undefined for a figure without a target. */
  readonly meetsTarget: boolean | undefined;
}

/** Runs a bench. A first round of each side warms up and is not measured, unless the bench needs none. */
export async function measure(bench: Bench, run: Run): Promise<Measured[]> {
  const prepared = await bench.prepare(run);
  try {
    if (!prepared.needsNoWarmUp) await playRound(prepared, 0);
    const rounds: PlayedRound[] = [];
    for (let index = 1; index <= run.rounds; index += 1) rounds.push(await playRound(prepared, index));
    return Object.keys(prepared.ours).flatMap((name) => bench.figures.map((figure) => compare(name, figure, rounds)));
  } finally {
    await prepared.close();
  }
}

interface PlayedRound {
  readonly floors: Readonly<Record<string, Figures>>;
  readonly ours: Readonly<Record<string, Figures>>;
}

/**
 * Runs one round of each side. Every other round runs the sides in reverse order, so that a machine that slows down affects all
 * sides equally.
 */
async function playRound(prepared: Prepared, index: number): Promise<PlayedRound> {
  const played: Record<'floors' | 'ours', Record<string, Figures>> = { floors: {}, ours: {} };
  const sides = (['floors', 'ours'] as const).flatMap((side) =>
    Object.entries(prepared[side]).map(([name, round]) => ({ side, name, round })),
  );
  for (const { side, name, round } of index % 2 === 0 ? sides : sides.reverse()) played[side][name] = await round();
  return played;
}

function compare(name: string, figure: Figure, played: readonly PlayedRound[]): Measured {
  const beside = figure.beside ?? ONLY;
  const rounds = played.map((round) => {
    const [ours, floor] = [figureIn(round.ours[name], figure.name), figureIn(round.floors[beside], figure.name)];
    return { ours, floor, ratio: ours / floor };
  });
  const ratios = rounds.map(({ ratio }) => ratio);
  const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
  const ours = median(rounds.map((round) => round.ours));
  const floor = median(rounds.map((round) => round.floor));
  const kept = [keeps(figure.ratio, ratio.median), keeps(figure.limit, ours)].filter((is) => is !== undefined);
  const meetsTarget = kept.length === 0 ? undefined : kept.every(Boolean);
  return { case: name, figure, rounds, ours, floor, ratio, meetsTarget };
}

function keeps(bound: Bound | undefined, value: number): boolean | undefined {
  if (bound === undefined) return undefined;
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

function figureIn(figures: Figures | undefined, name: string): number {
  const value = figures?.[name];
  if (value === undefined) throw new Error(`A round lacks the figure "${name}".`);
  return value;
}
