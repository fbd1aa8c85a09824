import { headed, type Words } from '../areas/event-words.ts';
import type { peopleEvents } from './events.ts';

/**
 * The name and the id of a person or an account, such as `Ada (p_7kQ2mXw9Ra)`. The id alone if the event has no name.
 */
const named = (name: string | undefined, id: string): string => (name ? `${name} (${id})` : id);

export const peopleWords: Words<typeof peopleEvents> = {
  'person.added': ({ name, person_id, role, same_person_as }, { say }) =>
    headed(
      `${say('adds', 'add')} ${named(name, person_id)} as ${role}`,
      same_person_as && `The same person as ${same_person_as}.`,
    ),
  'person.admitted': ({ name, person_id, role }, { say }) =>
    headed(`${say('admits', 'admit')} ${named(name, person_id)} as ${role}`),
  'person.role_changed': ({ name, person_id, role }, { say }) =>
    headed(`${say('gives', 'give')} ${named(name, person_id)} the role ${role}`),
  'person.revoked': ({ name, person_id }, { say }) => headed(`${say('revokes', 'revoke')} ${named(name, person_id)}`),
  'person.readmitted': ({ name, person_id }, { say }) =>
    headed(`${say('readmits', 'readmit')} ${named(name, person_id)}`),
  'account.added': ({ name, account_id }, { say }) =>
    headed(`${say('adds', 'add')} the account ${named(name, account_id)}`),
  'account.renamed': ({ name, account_id }, { say }) => headed(`${say('renames', 'rename')} ${account_id} to ${name}`),
  'account.limited': ({ name, account_id, limits }, { say }) => {
    const account = named(name, account_id);
    const set = Object.entries(limits).map(([limit, most]) => `${most} ${limit}`);
    return headed(
      set.length > 0
        ? `${say('limits', 'limit')} ${account} to ${set.join(', ')}`
        : `${say('removes', 'remove')} all limits of ${account}`,
    );
  },
  'account.closed': ({ name, account_id }, { say }) => headed(`${say('closes', 'close')} ${named(name, account_id)}`),
  'account.reopened': ({ name, account_id }, { say }) =>
    headed(`${say('reopens', 'reopen')} ${named(name, account_id)}`),
};
