import { fail, type People, type PersonAdmission, type PersonRole } from '@parley/core';

/** A person whom a provider or a proxy has identified. */
export interface Identified extends Omit<PersonAdmission, 'role'> {
  /** Undefined if none of the person's groups has a role. */
  readonly role: PersonRole | undefined;
  /** Where the groups come from, as the subject of a sentence. */
  readonly groupsFrom: string;
}

/**
 * Returns an identified person as `People.admit` takes it. If the person has no role, ends every earlier sign-in of the
 * person.
 *
 * @throws ParleyError UNAUTHORIZED if the person has no role
 */
export async function admissionOf(
  people: Pick<People, 'dismiss'>,
  { role, groupsFrom, ...who }: Identified,
): Promise<PersonAdmission> {
  if (role) return { ...who, role };
  await people.dismiss(who.subject);
  return fail(
    'UNAUTHORIZED',
    `${groupsFrom} contains no group with a role on this service. Ask whoever runs this service to add you to a group, or to give one of your groups a role (PARLEY_OIDC_ROLES).`,
  );
}
