import type { EventText } from './event-text.ts';
import { describeEvent } from './event-texts.ts';
import { createIdIndex } from './id-index.ts';
import { FIRST_PERSON_ID, type Members, membersOf, readMessage, textIn, youText } from './message.ts';

/**
 * The text of an event in an audit, in the same words as in a transcript. Records are shown by their ids,
 * because an audit does not contain all events of a session.
 *
 * @param nameOf returns the name of a role in the session of the event. By default, a role is shown by its id
 */
export function auditText(event: Members, nameOf = (role: string): string => role): EventText {
  const message = readMessage({ ...event, from: 'owner' });
  const text = describeEvent(message, { ids: createIdIndex(), nameOf });
  const heading = text.heading || text.outcome || message.kind;
  return { ...text, ...leftBy(event), heading };
}

/** Nobody got an answer to a change by the groups of a company account, so its text names the call that says what is left. */
function leftBy({ kind, person, body }: Members): { readonly text?: string } {
  const { person_id: id, role } = membersOf(body);
  const isLowered = kind === 'person.role_changed' && role !== 'approver';
  if (person || !(isLowered || kind === 'person.revoked')) return {};
  const call = isLowered ? `role ${String(id)} --role ${String(role)}` : `revoke ${String(id)}`;
  return { text: `What this person leaves behind: parley people ${call}` };
}

/**
 * The name of the person who caused an event, as it was at the time of the event, or `the application` if the event
 * contains no person.
 *
 * @param me id of the reader. If the reader caused the event, ` (you)` is added to the name, except for the holder of
 * the owner key, because several people can share this key
 */
export const auditPerson = ({ person }: Members, me?: string): string => {
  const name = textIn(membersOf(person), 'name') || 'the application';
  const id = textIn(membersOf(person), 'id');
  return id === me && id !== FIRST_PERSON_ID ? youText(name) : name;
};
