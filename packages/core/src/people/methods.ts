import { z } from 'zod';
import { PersonView } from '../areas/approvals/schemas.ts';
import { At, NoInput, PersonRoleName, text } from '../areas/fields.ts';
import { documented } from '../kernel/operation/documented.ts';
import { MAX_PERSON_CHARS } from '../kernel/person.ts';

/**
 * Characters that a name cannot have: control characters, line breaks, and characters that change the direction of the text
 * around them, with which a name could make a line about another person look different.
 */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u;

const PersonName = text(MAX_PERSON_CHARS)
  .regex(ONE_LINE, 'Must be one line without control characters.')
  .regex(/^(?!.*(?:prt|pinv|pok)_)/i, 'Must not have a key or a token in it.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'Must have a letter, a digit or a sign.')
  .describe('What the person is called. No two people whose keys are valid have the same name.');

const ListedPerson = z.strictObject({
  person_id: z.string(),
  name: z.string(),
  role: PersonRoleName,
  key_prefix: z.string().describe('The first 10 characters of the key.'),
  added_at: At,
  added_by: PersonView.nullable().describe('Null if the application named nobody.'),
  last_used_at: At.nullable().describe('The last use of the key in this process, since its start; null without one.'),
});
documented.add(ListedPerson, { id: 'ListedPerson' });

const RevokedPerson = ListedPerson.omit({ last_used_at: true }).extend({
  revoked_at: At,
  revoked_by: PersonView.nullable(),
});

documented.add(RevokedPerson, { id: 'RevokedPerson' });

const OnePerson = z.strictObject({ person: ListedPerson });
documented.add(OnePerson, { id: 'OnePerson' });

/** The calls about people: who may sign in besides the holder of the first key. */
export const PEOPLE_METHODS = {
  listPeople: {
    summary: 'List the people who have a key, and the latest whose key was revoked.',
    method: 'GET',
    role: 'viewer',
    input: NoInput,
    output: z.strictObject({
      people: z.array(ListedPerson).describe('Oldest first.'),
      revoked: z.array(RevokedPerson).describe('Latest first; at most 100.'),
    }),
    errors: ['LOG_BROKEN'],
  },
  addPerson: {
    summary: 'Add a person. The answer has the key, which is shown only once.',
    method: 'POST',
    role: 'approver',
    input: z.strictObject({
      name: PersonName,
      role: PersonRoleName.describe(
        'viewer reads all; operator writes too; approver also approves, authorizes, overrides, releases and deletes.',
      ),
    }),
    output: z.strictObject({
      person: ListedPerson,
      key: z.string().describe('The key of the person, pok_…. It cannot be shown again.'),
    }),
    errors: ['LIMIT_EXCEEDED', 'LOG_BROKEN'],
  },
  setPersonRole: {
    summary: 'Change the role of a person, from the next request on.',
    method: 'POST',
    role: 'approver',
    input: z.strictObject({ role: PersonRoleName }),
    output: OnePerson,
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
  revokePerson: {
    summary: 'Revoke the key of a person, from the next request on; open streams of the person end.',
    method: 'POST',
    role: 'approver',
    input: NoInput,
    output: z.strictObject({ revoked: RevokedPerson }),
    errors: ['UNKNOWN_RECORD', 'LOG_BROKEN'],
  },
} as const;

export type PeopleMethod = keyof typeof PEOPLE_METHODS;

/** The reply of one of these calls. */
export type PeopleOutput<N extends PeopleMethod> = z.output<(typeof PEOPLE_METHODS)[N]['output']>;
