import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Pace } from '../bench.ts';

export interface Conditions {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  /** The peers of the bench with their versions. */
  readonly peers: readonly string[];
  readonly rounds: string;
  /** Load averages of one, five and fifteen minutes at the start of the bench. */
  readonly load: string;
}

export function describeMachine(): string {
  const processors = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${memory}, ${type()} ${release()}`;
}

export function describePace({ rounds, seconds, samples, isQuick }: Pace): string {
  const each = `${rounds} of each side, each of ${seconds} s or ${samples} single calls`;
  return isQuick ? `${each}; a quick run, with less stored data and fewer held polls` : each;
}

export const loadAverage = (): string =>
  loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
