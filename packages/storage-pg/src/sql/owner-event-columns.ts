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
