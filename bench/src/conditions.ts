import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Pace } from './bench.ts';

/** The conditions of a run that the page of results shows. */
export interface Conditions {
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly rounds: string;
  readonly load: string;
}

export function describeMachine(): string {
  const processors = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${memory}, ${type()} ${release()}`;
}

export function describePace({ rounds, seconds, samples, isQuick }: Pace): string {
  const each = `${rounds} of each side, ${seconds} s or ${samples} single calls each`;
  return isQuick ? `${each}; a quick run, with less stored and less held` : each;
}

export const loadAverage = (): string =>
  loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
