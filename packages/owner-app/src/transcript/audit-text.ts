import type { Answer } from '@parley/core/client';
import { describeEvent, type EventText } from '@parley/core/words';
import { createIdIndex, FIRST_PERSON_ID, youText } from './message.ts';

type AuditEvent = Answer<'audit'>['events'][number];

/**
 * The text of an event in an audit, in the same words as in a transcript. Records are shown by their ids,
 * because an audit does not contain all events of a session.
 *
 * @param nameOf returns the name of a role in the session of the event. By default, a role is shown by its id
 */
export function auditText(event: AuditEvent, nameOf = (role: string): string => role): EventText {
  const text = describeEvent(event, { ids: createIdIndex(), nameOf, from: 'owner' });
  const heading = text.heading || text.outcome || event.kind;
  return { ...text, ...leftBy(event), heading };
}

/** Nobody got an answer to a change by the groups of a company account, so its text names the call that says what is left. */
function leftBy(event: AuditEvent): { readonly text?: string } {
  const call = event.person ? undefined : loweringCall(event);
  return call ? { text: `What this person leaves behind: parley people ${call}` } : {};
}

function loweringCall({ kind, body }: AuditEvent): string | undefined {
  if (kind === 'person.revoked') return `revoke ${body.person_id}`;
  if (kind === 'person.role_changed' && body.role !== 'approver') return `role ${body.person_id} --role ${body.role}`;
  return undefined;
}

/**
 * The name of the person who caused an event, as it was at the time of the event, or `the application` if the event
 * contains no person.
 *
 * @param me id of the reader. If the reader caused the event, ` (you)` is added to the name, except for the holder of
 * the owner key, because several people can share this key
 */
export function auditPerson({ person }: Pick<AuditEvent, 'person'>, me?: string): string {
  if (!person) return 'the application';
  return person.id === me && person.id !== FIRST_PERSON_ID ? youText(person.name) : person.name;
}
