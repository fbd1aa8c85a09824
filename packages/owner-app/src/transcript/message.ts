import { plural } from '../text/counted.ts';
/** Id of the holder of the owner key. */
export const FIRST_PERSON_ID = 'owner';

/** A transcript entry, `{ id, at, from, kind, body }` in the answers of the service, or an event of the log. */
export interface Message {
  readonly id: number;
  readonly at: string;
  readonly from: string;
  /**
   * The name of the person who acted for the owner. Absent if the message does not come from the owner, or if no person
   * is known.
   */
  readonly person?: string | undefined;
  /** The id of the person who acted for the owner. The holder of the owner key has the id `owner`. */
  readonly personId?: string | undefined;
  readonly kind: string;
  readonly body: Members;
}

export type Members = Readonly<Record<string, unknown>>;

/** Reads a transcript entry or an event of the log, which have different names for the same members. */
export const readMessage = (record: Members): Message => ({
  id: Number(record.id ?? record.seq ?? 0),
  at: textIn(record, 'at'),
  from: textIn(record, 'from') || textIn(record, 'actor'),
  person: textIn(membersOf(record.person), 'name') || undefined,
  personId: textIn(membersOf(record.person), 'id') || undefined,
  kind: textIn(record, 'kind'),
  body: membersOf(record.body ?? record.data),
});

/**
 * The name of the speaker of a message: `Ada (owner)` for a person who acted for the owner, or `Ada (you)` if this
 * person is the reader. If no person is known, as for an agent, or if the person is the holder of the owner key,
 * the name is that of the role.
 *
 * @param me the id of the reader, if the text is for one reader
 */
export const speakerOf = (
  { from, person, personId }: Pick<Message, 'from' | 'person' | 'personId'>,
  nameOf: (role: string) => string,
  me?: string,
): string => {
  if (person === undefined || personId === FIRST_PERSON_ID) return nameOf(from);
  return personId === me ? youText(person) : `${person} (${from})`;
};

export const youText = (name: string): string => `${name} (you)`;

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

/** A number in a record, followed by a noun: `1 error`, `2 errors`. */
export const countIn = (body: Members, member: string, noun: string): string => plural(numberIn(body, member), noun);
