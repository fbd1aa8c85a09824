/** A transcript entry, as `{ id, at, from, kind, body }` on the wire. */
export interface Message {
  readonly id: number;
  readonly at: string;
  readonly from: string;
  readonly kind: string;
  readonly body: Members;
}

export type Members = Readonly<Record<string, unknown>>;

/** Reads a transcript entry, or an event of the log. Some of their members have different names. */
export const readMessage = (record: Members): Message => ({
  id: Number(record.id ?? record.seq ?? 0),
  at: textIn(record, 'at'),
  from: textIn(record, 'from') || textIn(record, 'actor'),
  kind: textIn(record, 'kind'),
  body: membersOf(record.body ?? record.data),
});

export const textIn = (record: Members, member: string): string => {
  const value = record[member];
  return typeof value === 'string' ? value : '';
};

export const numberIn = (record: Members, member: string): number => {
  const value = record[member];
  return typeof value === 'number' ? value : 0;
};

export const textsIn = (record: Members, member: string): string[] =>
  listIn(record, member).filter((item): item is string => typeof item === 'string');

export const recordsIn = (record: Members, member: string): Members[] => listIn(record, member).map(membersOf);

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listIn(record: Members, member: string): readonly unknown[] {
  const value = record[member];
  return Array.isArray(value) ? value : [];
}

/** A number in a message, with the word for the things that are counted: `1 error`, `2 errors`. */
export function counted(body: Members, member: string, what: string): string {
  const count = numberIn(body, member);
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
