import type { SessionRecord } from '../record.ts';
import { type CheckResult, counted } from './check-result.ts';
import type { StoredSession } from './stored.ts';

export interface Pair {
  readonly seen: SessionRecord;
  readonly stored: StoredSession;
}

export function checkNothingLost(pairs: readonly Pair[]): CheckResult {
  const writes = pairs.flatMap(({ seen, stored }) => {
    const keys = new Set(stored.events.map(({ key }) => key));
    return seen.acknowledged.map(({ key }) => ({ key, isStored: keys.has(key) }));
  });
  return {
    check: 'no acknowledged write is lost',
    looked: counted(writes.length, 'acknowledgements'),
    faults: writes.filter(({ isStored }) => !isStored).map(({ key }) => `${key} was acknowledged and is not stored`),
  };
}

/** Checks that the log contains every sent write at most once, and no other writes. */
export function checkNothingDoubled(pairs: readonly Pair[]): CheckResult {
  const faults = pairs.flatMap(({ seen, stored }) => {
    const times = new Map<string, number>();
    for (const { key } of stored.events) if (key !== null) times.set(key, (times.get(key) ?? 0) + 1);
    return Array.from(times, ([key, count]) => {
      if (!seen.sent.has(key)) return [`${key} is stored and nobody sent it`];
      return count > 1 ? [`${key} is stored ${count} times`] : [];
    }).flat();
  });
  const sent = pairs.reduce((sum, { seen }) => sum + seen.sent.size, 0);
  return { check: 'nothing is stored twice', looked: counted(sent, 'writes sent'), faults };
}

/** Checks that a write that is repeated with its key gets the same answer. */
export function checkSameAnswers(pairs: readonly Pair[]): CheckResult {
  let repeated = 0;
  const faults: string[] = [];
  for (const { seen } of pairs) {
    const answers = new Map<string, string>();
    for (const { key, answer } of seen.acknowledged) {
      const first = answers.get(key);
      if (first !== undefined) repeated += 1;
      if (first !== undefined && first !== answer)
        faults.push(`${key} was answered with ${first}, then with ${answer}`);
      answers.set(key, first ?? answer);
    }
  }
  return { check: 'a repeated write gets the same answer', looked: counted(repeated, 'repetitions'), faults };
}

/** Checks that each log is one hash chain from its first event to its head. */
export function checkLogs(pairs: readonly Pair[]): CheckResult {
  const faults = pairs.flatMap(({ stored: { sessionId, broken, events } }) => {
    const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
    return [
      ...(broken === null ? [] : [`${sessionId}: ${broken}`]),
      ...(gap < 0 ? [] : [`${sessionId}: event ${gap + 1} is missing`]),
    ];
  });
  const events = pairs.reduce((sum, { stored }) => sum + stored.events.length, 0);
  return { check: 'every log verifies', looked: `${pairs.length} logs, ${counted(events, 'events')}`, faults };
}
