import { median } from '../statistics.ts';
import { openCalibration } from './calibration.ts';
import { openService, type Work } from './service.ts';

/** Rounds of the first service, which do not count: V8 compiles the code in them. */
const WARM_UP = 16;
/** Services that are measured one after the other, and the rounds of each. A session has enough turns for them. */
const [SERVICES, ROUNDS] = [2, 20] as const;

const WORKS = ['turn', 'read', 'poll'] as const;

/** The processor time of a turn, a read and a woken poll, each divided by that of a step of the calibration. */
export type CostRatios = Readonly<Record<(typeof WORKS)[number], number>>;

/**
 * Measures all works in turn, in rounds of a quarter of a second, so that whatever slows the machine slows all of them.
 * A ratio is the median of those of the rounds.
 */
export async function measureCosts(): Promise<CostRatios> {
  await runRounds(WARM_UP);
  const rounds: Round[] = [];
  for (let index = 0; index < SERVICES; index += 1) rounds.push(...(await runRounds(ROUNDS)));
  const ratio = (work: keyof CostRatios): number => median(rounds.map((round) => round[work] / round.calibration));
  return { turn: ratio('turn'), read: ratio('read'), poll: ratio('poll') };
}

/** Microseconds of processor time of this process for each operation. */
type Round = Readonly<Record<keyof CostRatios | 'calibration', number>>;

async function runRounds(count: number): Promise<Round[]> {
  const service = await openService();
  const calibrate = openCalibration();
  const rounds: Round[] = [];
  for (let index = 0; index < count; index += 1)
    rounds.push({
      calibration: await costOf(calibrate),
      turn: await costOf(service.turns),
      read: await costOf(service.reads),
      poll: await costOf(service.polls),
    });
  await service.close();
  return rounds;
}

async function costOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  const count = await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
