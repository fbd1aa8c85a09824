import { parseArgs } from 'node:util';
import { type Outcome, runSeed } from './run-seed.ts';

const LAST_LINES = 30;

export const USAGE = `pnpm sim [--seeds n] [--from n]   runs many seeds
pnpm sim --seed n               prints the trace of one
docs/simulation.md says what it does.`;

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, seeds: { type: 'string' }, from: { type: 'string' } },
  });
  if (values.seed !== undefined) return showSeed(await runSeed(whole('seed', values.seed)));
  return await runSeeds(whole('from', values.from ?? '1'), whole('seeds', values.seeds ?? '300'));
}

function whole(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${flag} takes a whole number above 0, not ${text}.`);
}

function showSeed(outcome: Outcome): number {
  for (const line of outcome.trace) console.log(line);
  console.log(summary(outcome));
  return outcome.violations.length;
}

async function runSeeds(from: number, count: number): Promise<number> {
  const began = performance.now();
  let requests = 0;
  const seedsWith = new Map<string, number>();
  for (let seed = from; seed < from + count; seed += 1) {
    const outcome = await runSeed(seed);
    requests += outcome.requests;
    for (const fault of outcome.faults.keys()) seedsWith.set(fault, (seedsWith.get(fault) ?? 0) + 1);
    if (outcome.violations.length > 0) {
      console.log(failure(outcome));
      return 1;
    }
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(`${count} seeds from ${from}: no violation; ${requests} requests, ${seconds.toFixed(1)} s`);
  for (const [fault, seeds] of seedsWith) console.log(`  ${fault}: in ${seeds} seeds`);
  return 0;
}

const summary = ({ seed, violations, faults, hash }: Outcome): string =>
  [
    `seed ${seed}, trace ${hash}`,
    `faults: ${Array.from(faults, ([fault, times]) => `${fault} ${times}`).join(', ')}`,
    ...(violations.length === 0 ? ['no violation'] : violations),
  ].join('\n');

export const failure = (outcome: Outcome): string =>
  [...outcome.trace.slice(-LAST_LINES), summary(outcome), `again: pnpm sim --seed ${outcome.seed}`].join('\n');
