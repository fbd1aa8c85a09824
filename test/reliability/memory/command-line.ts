import { parseArgs } from 'node:util';
import { tableOf } from '../torture/verdict/table.ts';
import { touchMany } from './memory.ts';
import { judgeMemory, judgeRest, type MemorySample } from './verdict.ts';

const MEBI = 1024 * 1024;
/**
 * MiB that the process may use besides its caches. The rate windows of 100,000 tokens take this much for one minute.
 */
const ALLOWED_MEBI = 48;

export const USAGE = 'pnpm test:memory [--sessions n]\ndocs/reliability.md says what it does.';

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { sessions: { type: 'string', default: '100000' } } });
  const count = Number(values.sessions);
  if (!(Number.isSafeInteger(count) && count >= 20_000))
    throw new Error(`--sessions takes a whole number from 20000 on, not ${values.sessions}.`);
  console.log(`${count.toLocaleString('en')} sessions, each touched once on one host`);
  const { samples, last } = await touchMany(count, (sample) => console.log(lineOf(sample)));
  const results = [...judgeMemory(samples, ALLOWED_MEBI), judgeRest(samples, last)];
  console.log(tableOf(results));
  return results.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1).padStart(6);

function lineOf({ touched, rssBytes, heapBytes, externalBytes, caches }: MemorySample): string {
  const kept = caches.map(({ cache, entries, bytes }) => `${cache} ${entries} (${(bytes / MEBI).toFixed(1)} MiB)`);
  return `${String(touched).padStart(8)}  RSS ${inMebi(rssBytes)} MiB  heap ${inMebi(heapBytes)} MiB  buffers ${inMebi(externalBytes)} MiB  ${kept.join(', ')}`;
}
