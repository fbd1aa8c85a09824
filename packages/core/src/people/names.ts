import { isRoleName, lookKey, nameFault } from '../kernel/look-alike.ts';
import { ALL_VISIBLE, hidesLetters, nameKey, visibleName } from '../kernel/name-key.ts';
import { refuseInput } from '../kernel/operation/input.ts';

/** The text of a new name of a person or an account, in Unicode form NFC. @throws ParleyError INVALID_INPUT */
export function givenName(given: string): string {
  const name = given.trim().normalize('NFC');
  const fault = nameFault(name);
  if (fault !== undefined) refuseInput([{ path: 'name', message: fault }]);
  if (isRoleName(name)) refuseName('Parley itself uses this name.');
  return name;
}

export const refuseName = (message: string): never =>
  refuseInput([{ path: 'name', message: `${message} Choose another name.` }]);

/** Finds the one whose name readers could take for a given name. */
export function createNameSearch<T extends { readonly name: string }>(
  named: readonly T[],
): (name: string) => T | undefined {
  const byKey = new Map(named.flatMap((one) => keysOf(one.name).map((key) => [key, one] as const)));
  return (name) =>
    keysOf(name)
      .map((key) => byKey.get(key))
      .find(Boolean);
}

const keysOf = (name: string): string[] => [`name ${nameKey(name)}`, `look ${lookKey(name)}`];

/**
 * The name of a person in the log, without the hidden characters that earlier versions accepted. A name made of the person's
 * id if readers could take the name for one that Parley itself uses.
 */
export function knownName(name: string, id: string): string {
  const shown = hidesLetters(name) ? visibleName(name) : name;
  return shown === '' || isRoleName(shown) ? nameOfId(id) : shown;
}

/** The name of a person whose own name cannot be used. */
export const nameOfId = (id: string): string => `Person ${id}`;

const FROM_PROXY = 'proxy ';

/**
 * The subject of a user whom a proxy names. A user has no id that stays the same, so names of users that differ only in letter
 * case or in composed letters are one subject (RFC 8265, UsernameCaseMapped). Other forms of a name stay subjects of their own,
 * so that nobody gets the subject of another person by them.
 */
export const proxySubject = (user: string): string => FROM_PROXY + (isPlain(user) ? nameKey(user) : user);

/** The subject under which the state finds a person. An id of an OpenID provider stays as it is. */
export const knownSubject = (subject: string): string =>
  subject.startsWith(FROM_PROXY) ? proxySubject(subject.slice(FROM_PROXY.length)) : subject;

/** Whether a new person can have this subject: the name of a user whom a proxy names has no hidden and no special letters. */
export const isPlainSubject = (subject: string): boolean =>
  !subject.startsWith(FROM_PROXY) || isPlain(subject.slice(FROM_PROXY.length));

const isPlain = (user: string): boolean => ALL_VISIBLE.test(user) && user.normalize('NFKC') === user.normalize('NFC');
