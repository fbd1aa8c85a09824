import { parseArgs } from 'node:util';
import { tableOf } from '../torture/verdict/table.ts';
import { soak } from './soak.ts';
import { judgeSoak, type QuietSample } from './verdict.ts';

const MEBI = 1024 * 1024;

export const USAGE = 'pnpm soak [--minutes n]\ndocs/reliability.md says what it does.';

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { minutes: { type: 'string', default: '10' } } });
  const minutes = Number(values.minutes);
  if (!(minutes >= 3)) throw new Error(`--minutes takes a number from 3 on, not ${values.minutes}: two are warm-up.`);
  console.log(`${minutes} minutes of mixed load on one host`);
  const { samples, wrong, requests, mostHeld } = await soak(minutes, (sample) => console.log(lineOf(sample)));
  const order = {
    check: 'every answer is in order',
    looked: `${requests.toLocaleString('en')} requests`,
    faults: wrong,
  };
  const results = [...judgeSoak(samples), order];
  console.log(`polls held at once: up to ${mostHeld}`);
  console.log(tableOf(results));
  return results.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1).padStart(6);

function lineOf({ seconds, rssBytes, heapBytes, externalBytes, ...sample }: QuietSample): string {
  const memory = `RSS ${inMebi(rssBytes)} MiB  heap ${inMebi(heapBytes)} MiB  buffers ${inMebi(externalBytes)} MiB`;
  const handles = `handles ${sample.handles}, ${sample.databaseConnections} of them to PostgreSQL`;
  const caches = sample.caches.map(({ cache, entries, bytes }) => `${cache} ${entries} (${inMebi(bytes).trim()})`);
  return `${String(seconds).padStart(5)} s  ${memory}  ${handles}  ${caches.join(', ')}`;
}
