import { randomBytes } from 'node:crypto';
import { openPeople, ParleyError, type Storage } from '@parley/core';
import { makeOwnerKey } from '../../server/access/owner-key.ts';
import { visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** A person who could sign in when the backup was made. */
export interface RestoredPerson {
  readonly person_id: string;
  readonly name: string;
  readonly role: string;
  readonly account_id: string;
  /** Whether the person has a key, and not a company account. */
  readonly has_key: boolean;
  /** Whether this command has revoked the person. */
  readonly revoked: boolean;
}

/** The accounts and the people of a restored backup. The id of an account is the owner id of its sessions. */
export interface RestoredPeople {
  readonly accounts: readonly string[];
  readonly people: readonly RestoredPerson[];
}

/**
 * Reads the people of a restored backup, also those of closed accounts, and revokes them if `revoked` is true.
 *
 * @throws CliError if the log of people is broken
 */
export async function restoredPeople(storage: Storage, revoked: boolean): Promise<RestoredPeople> {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  try {
    const calls = people.calls();
    const { accounts } = await calls.listAccounts();
    const { people: known } = await calls.listPeople();
    if (revoked) for (const { person_id } of known) await calls.revokePerson(person_id);
    return {
      accounts: accounts.map(({ account_id }) => account_id),
      people: known.map(({ person_id, name, role, account_id, key_prefix }) => {
        return { person_id, name, role, account_id, has_key: key_prefix !== null, revoked };
      }),
    };
  } catch (error) {
    const reason = error instanceof ParleyError ? error.message : String(error);
    throw new CliError(
      EXIT.MISMATCH,
      `no log was verified, because the log of people and accounts is broken: ${reason}`,
    );
  } finally {
    people.close();
  }
}

/** Says who can sign in by this backup, or who must get a new key or be readmitted. */
export function peopleLines(people: readonly RestoredPerson[], program: string): string[] {
  if (people.length === 0) return [];
  const named = people.map(({ person_id, name, role, has_key }) =>
    visibleLine(`${name} (${person_id}), ${role}, ${has_key ? 'key' : 'company account'}`),
  );
  if (people.every(({ revoked }) => revoked))
    return [
      `These people were revoked. To give a person a new key: ${program} people add NAME --role ROLE. To let a company account sign in again: ${program} people readmit ID`,
      ...named.map((line) => `  ${line}`),
    ];
  return [
    `By this backup these people can sign in. Revocations after the backup are gone: to revoke a person, run ${program} people revoke ID, or restore again with --revoke-access.`,
    ...named.map((line) => `  ${line}`),
  ];
}
