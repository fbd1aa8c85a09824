import { z } from 'zod';
import { PersonView } from '../areas/approvals/state.ts';
import { At, NoInput, PersonRoleName, text } from '../areas/fields.ts';
import { LogLine, LogReportView } from '../areas/owner/rules.ts';
import { documented, namedObject } from '../kernel/operation/json-schema.ts';
import { MAX_PERSON_CHARS } from '../kernel/person.ts';
import { LeftBehind } from './leaving.ts';

/** The name of a person or an account. */
export const Name = text(MAX_PERSON_CHARS)
  .regex(/^(?!.*(?:prt|pinv|pok)_)/i, 'Must not contain a key or a token.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'Must contain a letter, a digit or a symbol.')
  .describe('No other person of the account who may sign in, or no other account, can have this name.');
documented.add(Name, { id: 'Name' });

const ListedPerson = namedObject('ListedPerson', {
  person_id: z.string(),
  name: z.string(),
  role: PersonRoleName,
  account_id: z.string().describe('The account for which the person acts.'),
  key_prefix: z.string().nullable().describe('First 10 characters of the key; null for a company account.'),
  subject: z
    .string()
    .nullable()
    .describe(
      'The company account: the OpenID claims iss and sub, or the word proxy and the user name. Null for a person with a key.',
    ),
  same_person_as: z
    .string()
    .optional()
    .describe('The id of the person who is the same human: their approvals count as one. Absent if nobody said so.'),
  added_at: At,
  added_by: PersonView.nullable().describe(
    'Who added the person. Null if the first sign-in with a company account did, or if the application named no person.',
  ),
  last_used_at: At.nullable().describe(
    'Time of the last request of the person since this process started; null if there was none.',
  ),
});

const RevokedPerson = ListedPerson.omit({ last_used_at: true }).extend({
  revoked_at: At,
  revoked_by: PersonView.nullable(),
  readmitted: z
    .boolean()
    .describe('Whether the company account may sign in again. If so, its next sign-in adds a new person.'),
});

documented.add(RevokedPerson, { id: 'RevokedPerson' });

const OnePerson = namedObject('OnePerson', { person: ListedPerson });

const OneRevokedPerson = namedObject('OneRevokedPerson', { revoked: RevokedPerson });

const Limit = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();
const AccountLimits = namedObject('AccountLimits', {
  sessions: Limit.describe('Sessions that are not deleted.'),
  events: Limit.describe('Events in the logs of all sessions.'),
  bytes: Limit.describe('Bytes of the events and documents of all sessions.'),
});

const AccountUse = namedObject('AccountUse', { sessions: z.int(), events: z.int(), bytes: z.int() });

const Account = namedObject('Account', {
  account_id: z.string().describe('The owner id of the sessions of the account.'),
  name: z.string(),
  people: z.int().describe('Number of people who are not revoked.'),
  limits: AccountLimits.describe('Null: no limit.'),
  used: AccountUse.describe('What the account uses at present; up to 5 s old.'),
  added_at: At.nullable().describe('Null for the first account, which exists from the start.'),
  added_by: PersonView.nullable().describe('Null for the first account, and if the application named no person.'),
  closed_at: At.nullable().describe('Null while the account is open.'),
  closed_by: PersonView.nullable(),
});

const NewLimits = AccountLimits.partial();
documented.add(NewLimits, { id: 'NewLimits' });

const AccountInput = namedObject('AccountInput', { name: Name, limits: NewLimits.optional() });

const OneAccount = namedObject('OneAccount', { account: Account });

const EndAccess = namedObject('EndAccess', {
  end_access: z.boolean().optional().describe('Revoke the codes and tokens left behind.'),
});
const left = LeftBehind.optional();

/** The calls about people and accounts: who may sign in besides the holder of the owner key. */
export const PEOPLE_METHODS = {
  listPeople: {
    summary:
      'List the people of your account who may sign in, and the people revoked last; with the owner key, those of all accounts.',
    method: 'GET',
    path: '/people',
    role: 'viewer',
    input: NoInput,
    output: z.strictObject({
      people: z.array(ListedPerson).describe('Oldest first.'),
      revoked: z.array(RevokedPerson).describe('The people revoked last, latest first; at most 100.'),
    }),
    errors: ['LOG_BROKEN'],
  },
  addPerson: {
    summary: 'Add a person. The answer has the key, which is shown only once.',
    method: 'POST',
    path: '/people',
    role: 'approver',
    input: z.strictObject({
      name: Name,
      role: PersonRoleName.describe(
        'viewer reads all; operator writes too; approver also approves, authorizes, overrides, releases and deletes.',
      ),
      account_id: z
        .string()
        .max(60)
        .optional()
        .describe(
          'The account for which the person acts; by default yours. To name another account, use the owner key.',
        ),
      same_person_as: z
        .string()
        .max(60)
        .optional()
        .describe(
          'The id of a person who is the same human, such as one with a company account, or owner for the owner key. Where two people must approve, the approvals of both count as one.',
        ),
    }),
    output: z.strictObject({
      person: ListedPerson,
      key: z.string().describe('The key of the person, pok_…. It cannot be shown again.'),
    }),
    errors: ['UNKNOWN_RECORD', 'LIMIT_EXCEEDED', 'LOG_BROKEN'],
  },
  setPersonRole: {
    summary: 'Change the role of a person who has a key, from the next request on.',
    method: 'POST',
    path: '/people/{person_id}/role',
    role: 'approver',
    input: EndAccess.extend({ role: PersonRoleName }),
    output: OnePerson.extend({ left }),
    errors: ['UNKNOWN_RECORD', 'LIMIT_EXCEEDED', 'LOG_BROKEN'],
  },
  revokePerson: {
    summary: 'Revoke a person, from the next request on; open streams of the person end.',
    method: 'POST',
    path: '/people/{person_id}/revoke',
    role: 'approver',
    input: EndAccess,
    output: OneRevokedPerson.extend({ left }),
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
  readmitPerson: {
    summary: 'Let the company account of a revoked person sign in again. Its next sign-in adds a new person.',
    method: 'POST',
    path: '/people/{person_id}/readmit',
    role: 'approver',
    input: NoInput,
    output: OneRevokedPerson,
    errors: ['UNKNOWN_RECORD', 'LIMIT_EXCEEDED', 'LOG_BROKEN'],
  },
  listAccounts: {
    summary: 'List your account; with the owner key, all accounts.',
    method: 'GET',
    path: '/accounts',
    role: 'viewer',
    input: NoInput,
    output: z.strictObject({
      accounts: z.array(Account).describe('The first account, then the others, oldest first.'),
    }),
    errors: ['LOG_BROKEN'],
  },
  addAccount: {
    summary: 'Add an account, whose sessions no other account can see. Needs the owner key.',
    method: 'POST',
    path: '/accounts',
    role: 'approver',
    input: AccountInput,
    output: OneAccount,
    errors: ['LIMIT_EXCEEDED', 'LOG_BROKEN'],
  },
  changeAccount: {
    summary: 'Change the name or the limits of an account. Needs the owner key.',
    method: 'POST',
    path: '/accounts/{account_id}/change',
    role: 'approver',
    input: z.strictObject({
      name: Name.optional(),
      limits: NewLimits.optional().describe('A limit that is left out stays unchanged; null removes the limit.'),
    }),
    output: OneAccount,
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
  closeAccount: {
    summary: 'Close an account: the keys of its people are refused from the next request on. Needs the owner key.',
    method: 'POST',
    path: '/accounts/{account_id}/close',
    role: 'approver',
    input: EndAccess,
    output: OneAccount.extend({ left }),
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
  reopenAccount: {
    summary: 'Open a closed account again: the keys of its people work again. Needs the owner key.',
    method: 'POST',
    path: '/accounts/{account_id}/reopen',
    role: 'approver',
    input: NoInput,
    output: OneAccount,
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
  verifyPeopleLog: {
    summary: 'Verify the hash chain of the log of people and report the first broken event. Needs the owner key.',
    method: 'GET',
    path: '/people/verify-log',
    role: 'approver',
    input: NoInput,
    output: LogReportView,
    errors: [],
  },
  exportPeopleLog: {
    summary:
      'Export the log of people as JSON lines. Each contains the exact stored text of an event and its hash. Needs the owner key.',
    method: 'GET',
    path: '/people/log',
    role: 'approver',
    input: NoInput,
    output: LogLine,
    errors: [],
    streams: 'lines',
  },
} as const;

export type PeopleMethod = keyof typeof PEOPLE_METHODS;

/** The reply of one of `PEOPLE_METHODS`, by its name. */
export type PeopleOutput<N extends PeopleMethod> = z.output<(typeof PEOPLE_METHODS)[N]['output']>;

/** The id in the path of a call, and its input, which the call checks. */
type Arguments<Method> = Method extends { readonly path: `${string}{${string}` }
  ? [id: string, input?: unknown]
  : [input?: unknown];

/**
 * The calls about people and accounts that one person makes: those of `PEOPLE_METHODS`, such as `people.addPerson({ name, role })`.
 * They concern the people of the person's account, or of all accounts for the holder of the owner key. A call that is refused
 * rejects with a ParleyError: ROLE_FORBIDDEN if the person's role does not allow it, INVALID_INPUT, or a code in its description.
 */
export type PeopleCalls = {
  readonly [N in PeopleMethod]: (
    ...args: Arguments<(typeof PEOPLE_METHODS)[N]>
  ) => (typeof PEOPLE_METHODS)[N] extends { readonly streams: 'lines' }
    ? AsyncIterable<string>
    : Promise<PeopleOutput<N>>;
} & {
  /** The account for which the person acts. Undefined if it is the only account of the service. */
  ownAccount(): Promise<{ readonly account_id: string; readonly name: string } | undefined>;
  /**
   * Returns a function that selects events of the log of people by their data: the events about the person's account,
   * or all events if the person is the holder of the owner key.
   */
  eventFilter(): Promise<(data: unknown) => boolean>;
};
