import type { EventText } from './event-text.ts';
import { eventTextOf } from './event-texts.ts';
import { createIdIndex } from './id-index.ts';
import { type Members, membersOf, readMessage, textIn } from './message.ts';

/**
 * What an event of the audit says, in the words of the transcript. An audit has no other events of the session, so roles and records are
 * named by their ids. An event that the transcript leaves out has its kind as heading.
 */
export function auditText(event: Members): EventText {
  const message = readMessage({ ...event, from: 'owner' });
  const text = eventTextOf(message, { ids: createIdIndex(), nameOf: (role) => role });
  const heading = text?.heading || text?.outcome || message.kind;
  return { ...text, heading };
}

/** The name of who caused an event of the audit: the person's name of that time. */
export const auditPerson = ({ person }: Members): string => textIn(membersOf(person), 'name') || 'the application';
