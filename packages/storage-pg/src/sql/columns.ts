import { type Append, CHANGING_COLUMNS, type InboxPlace, LISTING_COLUMNS, type Listing } from '@parley/core';

type ListingColumn = (typeof LISTING_COLUMNS)[number];

/** The column of a member of the listing, such as `created_at`. */
const columnOf = ({ member }: ListingColumn): string =>
  member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** SQL of the columns of a listing, and the values of a listing in their order. */
export const LISTING_NAMES = LISTING_COLUMNS.map(columnOf);
export const valuesOfListing = (listing: Listing): string[] => LISTING_COLUMNS.map(({ member }) => listing[member]);

/** The columns of a listing that an append stores, with their types in SQL. */
export const CHANGING = CHANGING_COLUMNS.map((column) => ({
  member: column.member,
  name: columnOf(column),
  type: column.isTime ? 'timestamptz' : 'text',
}));

/** SQL of the listing in a result. A time is a number, because the text of a time depends on settings of the connection. */
export const SELECTED_LISTING = LISTING_COLUMNS.map((column) => {
  const name = columnOf(column);
  return column.isTime ? `round(extract(epoch from ${name} at time zone 'UTC') * 1000)::bigint as ${name}_ms` : name;
});

/** A listing from a row of a result. */
export const listingOf = (row: Readonly<Record<string, unknown>>): Listing => {
  const entries = LISTING_COLUMNS.map((column) => {
    const name = columnOf(column);
    const value = column.isTime ? new Date(Number(row[`${name}_ms`])).toISOString() : row[name];
    return [column.member, value];
  });
  return Object.fromEntries(entries);
};

/**
 * A place is stored as one number: this constant times the rank, plus the time in milliseconds since the epoch. So the
 * sessions of an inbox are one range of an index. If rank and time were two columns, a query would read all places of
 * rank 4, even those whose time has not come.
 */
export const PER_RANK = 1_000_000_000_000_000;

/** Converts the rank and time of a place to the number as which the place is stored. */
export const keyOf = ({ rank, at }: Pick<InboxPlace, 'rank' | 'at'>): number =>
  rank * PER_RANK + Math.min(Math.max(Date.parse(at), 0), PER_RANK - 1);

/** Converts the number of a place back to rank and time. Returns null for any other number. */
export const rankAndTime = (key: number): Pick<InboxPlace, 'rank' | 'at'> | null => {
  const rank = ([1, 2, 3, 4] as const).find((each) => each === Math.floor(key / PER_RANK));
  return rank ? { rank, at: new Date(key % PER_RANK).toISOString() } : null;
};

/** Returns the highest number that a place in the inbox can have at the time `at`. */
export const dueKey = (at: string): number => keyOf({ rank: 4, at });

/**
 * Returns the values of `noted_seq`, `noted_key` and `inbox_tasks` for a place. All are null if the place is unknown.
 */
export const placeValues = (place: Append['place'], seq: number): readonly (number | null)[] =>
  place === undefined ? [null, null, null] : [seq, place && keyOf(place), place?.tasks ?? null];

/**
 * SQL for the new `noted_key` of the row `s`. If the old and the new place have rank 4, and the old time is in the
 * future but earlier than the new time, the old time is kept. Otherwise each append would change the time from which an
 * agent can count as silent, and so update all indexes of the row.
 *
 * @param key the SQL of the number of the new place
 * @param due the SQL of the highest number that a place in the inbox can have now
 */
export const notedKey = (key: string, due: string): string =>
  `case when ${key} >= ${4 * PER_RANK} and s.noted_key > ${due} and s.noted_key < ${key} then s.noted_key else ${key} end`;

/**
 * SQL that reads members at the beginning of an event's text, where their order is fixed:
 * `{"session_id":"…","seq":1,"at":"…","kind":"…","v":1,"actor":"…","person":{"id":"…",…`. An index of migration 0005
 * contains these expressions. They must never change, because PostgreSQL uses the index only for the same expressions.
 *
 * No value before the person contains a quotation mark, so the parts between quotation marks are counted.
 *
 * @param body the SQL of the text
 */
const part = (body: string, number: number): string => `split_part(left(${body}, 400), '"', ${number})`;

export const atOf = (body: string): string => `(${part(body, 10)} collate "C")`;
export const kindOf = (body: string): string => part(body, 14);
export const isByOwner = (body: string): string => `${part(body, 20)} = 'owner'`;

/** SQL of the id of the person, as a JSON string. Null if the event contains no person. */
export const personOf = (body: string): string =>
  `substring(left(${body}, 2000) from '^\\{"session_id":"[^"]*","seq":[0-9]+,"at":"[^"]*","kind":"[^"]*","v":[0-9]+,"actor":"[^"]*","person":\\{"id":("([^"\\\\]|\\\\.)*")')`;

/**
 * SQL that returns the rows of `select` in order, until the total size of their texts reaches `maxBytes`. Computes the
 * sizes without reading the texts, because texts are large and stored separately.
 *
 * @param select SQL that returns seq, hash and body
 * @param maxBytes placeholder of the parameter with the maximum size
 */
export const pageOf = (select: string, maxBytes: string): string => `
select seq, hash, body from (
  select page.*, sum(octet_length(body)) over (order by seq) - octet_length(body) as bytes_before
  from (${select}) page) counted
where bytes_before < ${maxBytes}::bigint`;
