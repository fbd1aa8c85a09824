import { isFirst, type Person, requireRole } from '../kernel/person.ts';
import { PEOPLE_METHODS, type PeopleOutput } from './methods.ts';
import type { PeopleLog } from './people-log.ts';
import { forbidAccount } from './refusals.ts';

/**
 * The calls that read the whole log of people, which contains the people of all accounts. So only the holder of the
 * owner key, or the application without a person, can make them.
 */
export interface LogCalls {
  /** Verifies the log of people from its first event to its present head. @throws ParleyError ROLE_FORBIDDEN */
  verifyPeopleLog(): Promise<PeopleOutput<'verifyPeopleLog'>>;
  /**
   * The log of people as JSON lines, each with the exact stored text of an event and its hash.
   *
   * @throws ParleyError ROLE_FORBIDDEN before the first line
   */
  exportPeopleLog(): AsyncIterable<string>;
}

export function logCalls(log: PeopleLog, person: Person | undefined): LogCalls {
  const allow = (name: keyof LogCalls): void => {
    requireRole(person, PEOPLE_METHODS[name].role, name);
    if (!isFirst(person))
      forbidAccount('Only the holder of the owner key can read the log of people, which covers all accounts.');
  };
  return {
    async verifyPeopleLog() {
      allow('verifyPeopleLog');
      return await log.verify();
    },

    async *exportPeopleLog() {
      allow('exportPeopleLog');
      yield* log.lines();
    },
  };
}
