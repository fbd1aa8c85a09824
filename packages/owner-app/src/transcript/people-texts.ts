import { type Describe, headed } from './event-text.ts';
import { type Members, textIn } from './message.ts';

/** The limits of an account as text, such as `10 sessions, 500 events`. Empty if the account has no limit. */
const limitsIn = (limits: unknown): string =>
  Object.entries(Object(limits))
    .map(([limit, most]) => `${most} ${limit}`)
    .join(', ');

/**
 * The name and the id of the person or account of an event, such as `Ada (p_7kQ2mXw9Ra)`. The id alone if the event has
 * no name.
 */
const namedIn = (body: Members, id: 'person_id' | 'account_id'): string => {
  const name = textIn(body, 'name');
  return name ? `${name} (${textIn(body, id)})` : textIn(body, id);
};

/**
 * The texts of events about people, accounts and erased sessions, by kind. No log of a session contains these events.
 */
export const PEOPLE_TEXTS: Readonly<Record<string, Describe>> = {
  'person.added': (body, { say }) =>
    headed(`${say('adds', 'add')} ${namedIn(body, 'person_id')} as ${textIn(body, 'role')}`),
  'person.admitted': (body, { say }) =>
    headed(`${say('admits', 'admit')} ${namedIn(body, 'person_id')} as ${textIn(body, 'role')}`),
  'person.role_changed': (body, { say }) =>
    headed(`${say('gives', 'give')} ${namedIn(body, 'person_id')} the role ${textIn(body, 'role')}`),
  'person.revoked': (body, { say }) => headed(`${say('revokes', 'revoke')} ${namedIn(body, 'person_id')}`),
  'account.added': (body, { say }) => headed(`${say('adds', 'add')} the account ${namedIn(body, 'account_id')}`),
  'account.renamed': (body, { say }) =>
    headed(`${say('renames', 'rename')} ${textIn(body, 'account_id')} to ${textIn(body, 'name')}`),
  'account.limited': (body, { say }) => {
    const limits = limitsIn(body.limits);
    const account = namedIn(body, 'account_id');
    return headed(
      limits
        ? `${say('limits', 'limit')} ${account} to ${limits}`
        : `${say('removes', 'remove')} all limits of ${account}`,
    );
  },
  'account.closed': (body, { say }) => headed(`${say('closes', 'close')} ${namedIn(body, 'account_id')}`),
  'account.reopened': (body, { say }) => headed(`${say('reopens', 'reopen')} ${namedIn(body, 'account_id')}`),
  'person.readmitted': (body, { say }) => headed(`${say('readmits', 'readmit')} ${namedIn(body, 'person_id')}`),
  'session.erased': (body, { say }) =>
    headed(
      `${say('erases', 'erase')} ${textIn(body, 'title')} (${textIn(body, 'session_id')})`,
      textIn(body, 'exported_to') && `Exported to ${textIn(body, 'exported_to')}, SHA-256 ${textIn(body, 'checksum')}.`,
    ),
  'session.not_erased': (body, { say }) =>
    headed(
      `${say('does', 'do')} not erase ${textIn(body, 'title')} (${textIn(body, 'session_id')})`,
      'The session had a new event after its export.',
    ),
};
