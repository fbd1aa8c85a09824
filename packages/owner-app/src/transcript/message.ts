import type { EventEntry, SentEvent } from '@parley/core/client';
/** Id of the holder of the owner key. */
export const FIRST_PERSON_ID = 'owner';

/** An entry of the transcript, or an event of the log in the same form. `kind` says which members `body` has. */
export type Message = EventEntry;

/** An event of the log in the form of a transcript entry. */
export const messageOf = ({ seq, at, actor, person, kind, data }: SentEvent): Message =>
  ({ id: seq, at, from: actor, person, kind, body: data }) as Message;

/**
 * The name of the speaker of a message: `Ada (owner)` for a person who acted for the owner, or `Ada (you)` if this
 * person is the reader. If no person is known, as for an agent, or if the person is the holder of the owner key,
 * the name is that of the role.
 *
 * @param me the id of the reader, if the text is for one reader
 */
export const speakerOf = (
  { from, person }: Pick<Message, 'from' | 'person'>,
  nameOf: (role: string) => string,
  me?: string,
): string => {
  if (!person || person.id === FIRST_PERSON_ID) return nameOf(from);
  return person.id === me ? youText(person.name) : `${person.name} (${from})`;
};

export const youText = (name: string): string => `${name} (you)`;
