import type { EventText } from './event-text.ts';
import { describeEvent } from './event-texts.ts';
import { createIdIndex } from './id-index.ts';
import { FIRST_PERSON_ID, type Members, membersOf, readMessage, textIn, youText } from './message.ts';

/**
 * The text of an event in an audit, in the same words as in a transcript. An audit does not contain all events of a session, so
 * roles and records are named by their ids. If the text has no heading, the heading is its outcome or the kind of the event.
 */
export function auditText(event: Members): EventText {
  const message = readMessage({ ...event, from: 'owner' });
  const text = describeEvent(message, { ids: createIdIndex(), nameOf: (role) => role });
  const heading = text.heading || text.outcome || message.kind;
  return { ...text, heading };
}

/**
 * The name of the person who caused an event of the audit, as it was at that time. `the application` if the event names no
 * person.
 *
 * @param me the id of the reader, if the text is for one reader; the events of the reader are marked, except those of the
 *   holder of the first key, which is nobody's alone
 */
export const auditPerson = ({ person }: Members, me?: string): string => {
  const name = textIn(membersOf(person), 'name') || 'the application';
  const id = textIn(membersOf(person), 'id');
  return id === me && id !== FIRST_PERSON_ID ? youText(name) : name;
};
