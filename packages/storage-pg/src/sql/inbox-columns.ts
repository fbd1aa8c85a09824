import type { Append, InboxPlace } from '@parley/core';

/**
 * A place is stored as one number: this constant times the rank, plus the time in milliseconds since the epoch. So the
 * waiting sessions are one range of an index. A comparison of rank and time as a pair would read all places of the last
 * rank.
 */
export const PER_RANK = 1_000_000_000_000_000;

/** Returns the number of a place. */
export const keyOf = ({ rank, at }: Pick<InboxPlace, 'rank' | 'at'>): number =>
  rank * PER_RANK + Math.min(Math.max(Date.parse(at), 0), PER_RANK - 1);

/** Converts the number of a place back to rank and time. Returns null for any other number. */
export const rankAndTime = (key: number): Pick<InboxPlace, 'rank' | 'at'> | null => {
  const rank = ([1, 2, 3, 4] as const).find((each) => each === Math.floor(key / PER_RANK));
  return rank ? { rank, at: new Date(key % PER_RANK).toISOString() } : null;
};

/** The highest number of a place that is in the inbox at this time. */
export const dueKey = (at: string): number => keyOf({ rank: 4, at });

/**
 * Returns the values of `noted_seq`, `noted_key` and `inbox_tasks` for a place. All are null if the place is unknown.
 */
export const placeValues = (place: Append['place'], seq: number): readonly (number | null)[] =>
  place === undefined ? [null, null, null] : [seq, place && keyOf(place), place?.tasks ?? null];

/**
 * SQL for `noted_key` of the row `s`. If the row has rank 4 with an earlier time in the future, that time is kept.
 * Otherwise each append would move the time at which an agent can be absent, and would have to update all indexes.
 *
 * @param key the SQL of the number of the new place
 * @param due the SQL of the number of the last place that is due now
 */
export const notedKey = (key: string, due: string): string =>
  `case when ${key} >= ${4 * PER_RANK} and s.noted_key > ${due} and s.noted_key < ${key} then s.noted_key else ${key} end`;
