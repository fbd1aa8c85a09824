import type { Footprint } from '../processes/host/host-options.ts';
import { type CheckResult, counted } from '../torture/verdict/check-result.ts';

export interface MemorySample extends Footprint {
  readonly touched: number;
}

const MEBI = 1024 * 1024;

/** Judges the samples of one process. Once its session cache is full, its memory may grow by `allowedMebi` MiB. */
export function judgeMemory(samples: readonly MemorySample[], allowedMebi: number): CheckResult[] {
  const full = samples.filter(isFull);
  const plateau = held(full[0]);
  const most = Math.max(0, ...full.map(held));
  const last = samples.at(-1);
  const left = last?.caches.find(({ cache }) => cache === 'sessions')?.entries ?? 0;
  const touched = last?.touched ?? 0;
  const gain = inMebi(most - plateau);
  return [
    {
      ...{ check: 'the cache of sessions was filled and emptied again', looked: counted(touched, 'sessions') },
      faults: full.length < 2 || left > touched / 2 ? [`${left} of ${touched} sessions are still held`] : [],
      note: `${left.toLocaleString('en')} held at the end`,
    },
    {
      ...{ check: 'no cache holds more than it may', looked: counted(samples.length, 'samples') },
      faults: samples.flatMap(overfull),
    },
    {
      ...{ check: 'memory does not grow once the cache is full', looked: counted(full.length, 'samples') },
      faults: most - plateau > allowedMebi * MEBI ? [`it gained ${gain} MiB where ${allowedMebi} are allowed`] : [],
      note: `${inMebi(plateau)} MiB, at most ${gain} more; RSS at most ${inMebi(mostRss(samples))}`,
    },
    weighs(samples[1], samples[samples.findIndex(isFull) - 1]),
    {
      ...{ check: 'nothing is left behind', looked: 'handles and polls' },
      faults: leftBehind(samples[0], last),
    },
  ];
}

/** Maximum number of bytes of heap for each byte that the caches count. */
const MOST_WEIGHT = 1.25;

/**
 * Compares the growth of the heap with the growth that the caches count, between two samples before the cache of sessions is full.
 * Once it is full, each further session adds a rate window to the heap, and nothing to what is counted.
 */
function weighs(first: MemorySample | undefined, last: MemorySample | undefined): CheckResult {
  const sessions = (last?.touched ?? 0) - (first?.touched ?? 0);
  const looked = { check: 'caches count what they hold', looked: counted(sessions, 'sessions') };
  if (sessions <= 0) return { ...looked, faults: ['the cache was full before the second sample'] };
  const weight = (held(last) - held(first)) / (countedIn(last) - countedIn(first));
  const note = `${weight.toFixed(2)} bytes of heap for each that is counted`;
  return { ...looked, faults: weight <= MOST_WEIGHT ? [] : [note], note };
}

const countedIn = (sample: MemorySample | undefined): number =>
  (sample?.caches ?? []).reduce((sum, { bytes }) => sum + bytes, 0);

/** MiB that the process may use besides its full caches, after the rate windows of the last minute have expired. */
const MOST_LEFT_MEBI = 12;

/** Judges the sample `last`, taken after the rate windows of the requests made for `samples` had expired. */
export function judgeRest(samples: readonly MemorySample[], last: MemorySample): CheckResult {
  const plateau = Math.max(...samples.filter(isFull).slice(0, 2).map(held));
  const gain = held(last) - plateau;
  return {
    ...{ check: 'what a minute counts is gone with it', looked: counted(last.touched, 'sessions') },
    faults: gain > MOST_LEFT_MEBI * MEBI ? [`${inMebi(gain)} MiB are left where ${MOST_LEFT_MEBI} are allowed`] : [],
    note: `${inMebi(gain)} MiB more than when the cache was full`,
  };
}

const isFull = ({ caches }: MemorySample): boolean =>
  caches.some(({ cache, bytes, limitBytes }) => cache === 'sessions' && bytes >= 0.9 * limitBytes);

const held = (sample: MemorySample | undefined): number => (sample?.heapBytes ?? 0) + (sample?.externalBytes ?? 0);

const mostRss = (samples: readonly MemorySample[]): number => Math.max(0, ...samples.map(({ rssBytes }) => rssBytes));

const overfull = ({ touched, caches }: MemorySample): string[] =>
  caches.flatMap(({ cache, bytes, limitBytes }) =>
    bytes > limitBytes ? [`${cache}: ${bytes} of ${limitBytes} after ${touched} sessions`] : [],
  );

/** Number of handles that the load adds: 16 connections of clients, which stay open, and 11 of the database pool. */
const CONNECTIONS = 16 + 11;

function leftBehind(first: MemorySample | undefined, last: MemorySample | undefined): string[] {
  const more = (last?.handles ?? 0) - (first?.handles ?? 0);
  return [
    ...(more > CONNECTIONS ? [`${more} more handles than at the start`] : []),
    ...(last?.heldPolls ? [`${last.heldPolls} polls are held`] : []),
  ];
}

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1);
