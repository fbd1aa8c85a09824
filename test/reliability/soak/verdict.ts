import type { Footprint } from '../processes/host/host-options.ts';
import { type CheckResult, counted } from '../torture/verdict/check-result.ts';
import { grows, type Trend, trendOf } from './trend.ts';

/** A sample of the host after an interval of load, while no request is pending. */
export interface QuietSample extends Footprint {
  readonly seconds: number;
  readonly databaseConnections: number;
}

/** In the first 120 s caches, pools and compiled code still grow. Samples of that time are ignored. */
const WARM_SECONDS = 120;
/** A rise of RSS below this share of the mean counts as noise. RSS grows in larger steps than the heap. */
const RSS_NOISE_SHARE = 0.05;
const MEBI = 1024 * 1024;
const MOST_CONNECTIONS = 11;
/** The number of connections of the pool may differ by this much between two samples. */
const BETWEEN = 2;

/**
 * Judges a process under constant load. A line is fitted to the samples. It may rise by twice the scatter of the
 * samples or by two percent of their mean (RSS: five percent), whichever is more. A larger rise counts as a leak.
 */
export function judgeSoak(samples: readonly QuietSample[], warmSeconds = WARM_SECONDS): CheckResult[] {
  const warm = samples.filter(({ seconds }) => seconds >= warmSeconds);
  const looked = counted(warm.length, `samples after ${warmSeconds} s`);
  const line = (check: string, figures: readonly number[], noise?: number): CheckResult => {
    const trend = trendOf(figures);
    const faults = grows(trend, noise) ? [`it rises by ${inMebi(trend.rise)} MiB`] : [];
    return { check, looked, faults, note: noteOf(trend) };
  };
  const own = warm.map(({ handles, databaseConnections }) => handles - databaseConnections);
  return [
    enough(warm),
    line(
      'the heap does not grow',
      warm.map(({ heapBytes }) => heapBytes),
    ),
    line(
      'buffers beside the heap do not grow',
      warm.map(({ externalBytes }) => externalBytes),
    ),
    line(
      'RSS does not grow',
      warm.map(({ rssBytes }) => rssBytes),
      RSS_NOISE_SHARE,
    ),
    most('handles stay, those to the database aside', own, (own[0] ?? 0) + BETWEEN),
    most(
      'no poll is left behind',
      warm.map(({ heldPolls }) => heldPolls),
      0,
    ),
    most(
      'connections to PostgreSQL stay within the pool',
      warm.map((one) => one.databaseConnections),
      MOST_CONNECTIONS,
    ),
    most('caches stay within their sizes, in percent', warm.flatMap(fillings), 100),
  ];
}

const enough = ({ length }: readonly QuietSample[]): CheckResult => ({
  check: 'there is enough to judge',
  looked: counted(length, 'samples'),
  faults: length < 4 ? ['fewer than four samples: run it for longer'] : [],
});

function most(check: string, figures: readonly number[], limit: number): CheckResult {
  const longest = Math.max(0, ...figures);
  const faults = longest > limit ? [`${longest} where ${limit} is the most`] : [];
  return { check, looked: counted(figures.length, 'figures'), faults, note: `at most ${longest}` };
}

const fillings = ({ caches }: Footprint): number[] =>
  caches.map(({ bytes, limitBytes }) => Math.ceil((100 * bytes) / limitBytes));

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1);

const noteOf = ({ rise, scatter, mean }: Trend): string =>
  `mean ${inMebi(mean)} MiB, rise ${inMebi(rise)}, scatter ${inMebi(scatter)}`;
