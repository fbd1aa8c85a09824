import type { Bench, Figures, Prepared, Run } from './bench.ts';
import { median } from './statistics.ts';

/** One figure of one case: every counted round, and our part divided by the floor's of the same round. */
export interface Measured {
  readonly bench: string;
  readonly case: string;
  readonly figure: string;
  readonly unit: string;
  readonly target: Bench['figures'][number]['target'];
  readonly rounds: readonly { readonly ours: number; readonly floor: number; readonly ratio: number }[];
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
  readonly meetsTarget: boolean;
}

/** Runs a bench: one round of each side that does not count, then rounds that alternate. */
export async function measure(bench: Bench, run: Run): Promise<Measured[]> {
  const prepared = await bench.prepare(run);
  try {
    await playRound(prepared, 0);
    const rounds: PlayedRound[] = [];
    for (let index = 1; index <= run.rounds; index += 1) rounds.push(await playRound(prepared, index));
    return Object.keys(prepared.ours).flatMap((name) =>
      bench.figures.map((figure) => compare({ bench: bench.name, case: name, figure, rounds })),
    );
  } finally {
    await prepared.close();
  }
}

interface PlayedRound {
  readonly floor: Figures;
  readonly ours: Readonly<Record<string, Figures>>;
}

/** Who goes first changes with every round, so that a machine that slows down hurts nobody more. */
async function playRound({ floor, ours }: Prepared, index: number): Promise<PlayedRound> {
  const isFloorFirst = index % 2 === 0;
  const before = isFloorFirst ? await floor() : undefined;
  const played: Record<string, Figures> = {};
  for (const [name, round] of Object.entries(ours)) played[name] = await round();
  return { floor: before ?? (await floor()), ours: played };
}

interface Comparison {
  readonly bench: string;
  readonly case: string;
  readonly figure: Bench['figures'][number];
  readonly rounds: readonly PlayedRound[];
}

function compare({ bench, case: name, figure, rounds: played }: Comparison): Measured {
  const rounds = played.map((round) => {
    const [ours, floor] = [figureIn(round.ours[name], figure.name), figureIn(round.floor, figure.name)];
    return { ours, floor, ratio: ours / floor };
  });
  const ratios = rounds.map(({ ratio }) => ratio);
  const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
  const { unit, target } = figure;
  const meetsTarget = 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost;
  return { bench, case: name, figure: figure.name, unit, target, rounds, ratio, meetsTarget };
}

function figureIn(figures: Figures | undefined, name: string): number {
  const value = figures?.[name];
  if (value === undefined) throw new Error(`A round lacks the figure "${name}".`);
  return value;
}
