import { fail } from '../kernel/errors.ts';
import { FIRST_PERSON } from '../kernel/person.ts';
import { echoName } from '../kernel/text/safe-echo.ts';

/** The hint for a refused call that needs the owner key. No role of a person is enough for such a call. */
export const NEEDS_OWNER_KEY = 'Ask the holder of the owner key to make this call.';

/** Refuses the readmission of a person who was not revoked, or who never signed in with a company account. */
export function unknownCompanyAccount(id: string): never {
  return fail('UNKNOWN_RECORD', 'No revoked person with a company account has this id.', {
    record: { type: 'person', id: echoName(id) },
    hint: 'Run `parley people` for the ids of revoked people. To readmit a person who had a key, add the person again.',
  });
}

/** Refuses the id of the holder of the owner key, and an id that no person has whom the caller can see or change. */
export function unknownPerson(id: string): never {
  if (id === FIRST_PERSON.id)
    fail(
      'UNKNOWN_RECORD',
      'The holder of the owner key is always an approver. No call changes that role or revokes the owner key.',
      {
        record: { type: 'person', id },
        hint: 'Run `parley people` for the ids of the people whom you can change.',
      },
    );
  return fail('UNKNOWN_RECORD', 'No person who can sign in has this id.', {
    record: { type: 'person', id: echoName(id) },
    hint: 'Run `parley people` for the ids of people.',
  });
}

/** Refuses a call that only the holder of the owner key can make. */
export const forbidAccount = (message: string): never =>
  fail('ROLE_FORBIDDEN', message, { required_role: 'approver', hint: NEEDS_OWNER_KEY });
