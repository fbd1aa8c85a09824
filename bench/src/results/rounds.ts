import {
  type Bench,
  type Bound,
  type Figure,
  type Figures,
  ONLY,
  type Prepared,
  type Run,
  type Surroundings,
} from '../bench.ts';
import { startServer } from '../server-process.ts';
import { median } from '../statistics.ts';

/** One figure of one case: the medians over all measured rounds. */
export interface Measured {
  readonly case: string;
  readonly figure: Figure;
  readonly ours: number;
  readonly floor: number;
  /** Computed from the ratio of each round: the service's value divided by that of the peer or floor. */
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
}

/**
 * Runs a bench. Unless the bench has `needsNoWarmUp`, a first round is run and not counted. All clean-ups run at the
 * end, even if the bench fails or is interrupted.
 *
 * @param interrupted rejects if the bench must end early
 */
export async function measure(
  bench: Bench,
  surroundings: Surroundings,
  interrupted: Promise<never> = new Promise(() => {}),
): Promise<Measured[]> {
  const cleanUps: (() => unknown)[] = [];
  const defer: Run['defer'] = (cleanUp) => void cleanUps.push(cleanUp);
  const run: Run = {
    ...surroundings,
    defer,
    startServer(...server) {
      const starting = startServer(...server);
      // Registers the clean-up before the server has started, because another step of the bench may fail meanwhile.
      defer(() => starting.then(({ stop }) => stop(), nothing));
      return starting;
    },
  };
  try {
    return await Promise.race([play(bench, run), interrupted]);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await tryToRun(cleanUp);
  }
}

async function play(bench: Bench, run: Run): Promise<Measured[]> {
  const prepared = await bench.prepare(run);
  const { leftOut = {} } = prepared;
  for (const [name, reason] of Object.entries(leftOut)) console.log(`\n${bench.name}: ${name} is left out: ${reason}`);
  const figures = bench.figures.filter(({ beside = ONLY }) => !(beside in leftOut));
  if (!prepared.needsNoWarmUp) await playRound(prepared, 0);
  const rounds: PlayedRound[] = [];
  for (let index = 1; index <= run.rounds; index += 1) rounds.push(await playRound(prepared, index));
  return Object.keys(prepared.ours).flatMap((name) => figures.map((figure) => compare(name, figure, rounds)));
}

const nothing = (): void => {};

/**
 * Runs a clean-up and prints its error, so that the other clean-ups still run and the error of the bench itself is
 * kept.
 */
async function tryToRun(cleanUp: () => unknown): Promise<void> {
  try {
    await cleanUp();
  } catch (error) {
    console.error('A clean-up after a bench failed:', error);
    process.exitCode = 1;
  }
}

interface PlayedRound {
  readonly floors: Readonly<Record<string, Figures>>;
  readonly ours: Readonly<Record<string, Figures>>;
}

/**
 * Runs one round of each peer, floor and case. Every second round reverses their order, so that a machine that becomes
 * slower affects all of them equally.
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
  return { case: name, figure, ours, floor, ratio };
}

/** Whether the medians of a figure meet its target. Undefined if the figure has no target. */
export function meetsTarget({ figure, ours, ratio }: Measured): boolean | undefined {
  const kept = [keeps(figure.ratio, ratio.median), keeps(figure.limit, ours)].filter((is) => is !== undefined);
  return kept.length === 0 ? undefined : kept.every(Boolean);
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
