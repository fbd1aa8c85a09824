import type { Acknowledgement, Outage, RunRecord } from '../record.ts';
import { type CheckResult, counted } from './check-result.ts';
import type { Pair } from './write-checks.ts';

/** A process notices a change without a hint within 10 s. Two more seconds are for a busy machine. */
const BACKSTOP_MS = 10_000 + 2_000;
/**
 * Limit for a poll that begins after another agent's write was acknowledged, and so is answered without waiting. If the
 * slowest request without a wait took longer, the time of this request is the limit, but at most `BACKSTOP_MS`.
 */
const AT_ONCE_MS = 5_000;

interface Placed extends Acknowledgement {
  readonly seq: number;
}

/**
 * Checks how long polls were held after another agent's write was acknowledged: at most `BACKSTOP_MS`, or, if the poll
 * began after the write, at most as long as the slowest request that does not wait. Does not count the time of database
 * outages. Leaves out polls that were lost with their host.
 */
export function checkWakes(
  pairs: readonly Pair[],
  { outages, unheld }: Pick<RunRecord, 'outages' | 'unheld'>,
): CheckResult {
  const delays: number[] = [];
  const faults: string[] = [];
  const took = unheld.map(({ sentAt, at }) => at - sentAt - overlap(outages, sentAt, at));
  const atOnceMs = Math.min(
    BACKSTOP_MS,
    took.reduce((one, other) => Math.max(one, other), AT_ONCE_MS),
  );
  for (const pair of pairs) {
    const news = placed(pair);
    for (const look of pair.seen.looks.filter(({ isHeld }) => isHeld)) {
      const awaited = earliest(news.filter(({ by, seq }) => by !== look.by && seq > look.after));
      if (awaited === undefined || look.at < awaited.at) continue;
      const from = Math.max(look.sentAt, awaited.at);
      const delay = look.at - from - overlap(outages, from, look.at);
      const limit = awaited.at <= look.sentAt ? atOnceMs : BACKSTOP_MS;
      delays.push(delay);
      if (delay > limit)
        faults.push(`${look.by} heard of ${awaited.key} ${delay.toFixed(0)} ms late (${pair.seen.sessionId})`);
    }
  }
  return { check: 'no wake is missed', looked: counted(delays.length, 'wakes'), faults, note: spread(delays) };
}

/** Checks that a read that begins after a write was acknowledged shows the write, at every process. */
export function checkFresh(pairs: readonly Pair[]): CheckResult {
  let looked = 0;
  const faults: string[] = [];
  for (const pair of pairs) {
    const news = placed(pair);
    for (const { by, head, sentAt } of pair.seen.looks) {
      if (head === null) continue;
      looked += 1;
      const stale = news.find(({ at, seq }) => at < sentAt && seq > head);
      if (stale) faults.push(`${by} was shown ${head} after ${stale.key} was stored as ${stale.seq}`);
    }
  }
  return { check: 'no look is stale', looked: counted(looked, 'looks'), faults };
}

/** The acknowledged messages, with their numbers in the log. */
function placed({ seen, stored }: Pair): Placed[] {
  const messages = new Set(stored.messages);
  const places = new Map(stored.events.filter(({ seq }) => messages.has(seq)).map(({ key, seq }) => [key, seq]));
  return seen.acknowledged.flatMap((one) => {
    const seq = places.get(one.key);
    return seq === undefined ? [] : [{ ...one, seq }];
  });
}

const earliest = (news: readonly Placed[]): Placed | undefined =>
  news.reduce<Placed | undefined>((first, one) => (first === undefined || one.at < first.at ? one : first), undefined);

const overlap = (outages: readonly Outage[], from: number, to: number): number =>
  outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0);

function spread(delays: readonly number[]): string {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  return `median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`;
}
