import { fail } from '../kernel/errors.ts';
import { lookUp } from '../kernel/log/persistent-collections.ts';
import { type Acting, isFirst, type Person, presentPerson, requireRole } from '../kernel/person.ts';
import { PEOPLE_METHODS, type PeopleMethod } from './methods.ts';
import type { PeopleLog } from './people-log.ts';
import { livingPerson, type PeopleDraft, type PeopleState } from './state.ts';

/** Stores the events that `decide` returns. `decide` gets the newest state, and the caller as that state has the caller. */
export type ChangePeople = (
  name: PeopleMethod,
  decide: (state: PeopleState, caller: Person | undefined) => readonly PeopleDraft[],
) => Promise<PeopleState>;

/**
 * Returns the function by which all calls about people and accounts store their events. It judges the caller on the
 * state to which the events are appended. So a call that waited while the caller was revoked is refused.
 */
export const changesBy =
  (log: PeopleLog, acting: Acting): ChangePeople =>
  (name, decide) =>
    log.change(
      () => presentPerson(acting),
      (state, person) => {
        const caller = callerIn(state, person);
        requireRole(caller, PEOPLE_METHODS[name].role, name);
        return decide(state, caller);
      },
    );

/**
 * The caller with the role of this state. The holder of the owner key, and a person whom an application passes and who
 * is not in the log, have the role that they were passed with.
 *
 * @throws ParleyError UNAUTHORIZED if the person was revoked or the person's account is closed
 */
function callerIn(state: PeopleState, person: Person | undefined): Person | undefined {
  if (!person || isFirst(person) || lookUp(state.people, person.id) === undefined) return person;
  return livingPerson(state, person.id) ?? fail('UNAUTHORIZED', 'You were revoked before this call was decided.');
}
