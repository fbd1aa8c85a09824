import type { Answer } from '@parley/core/client';

/**
 * What the answer to a question, a directive or a task of the owner says about the agents that cannot read it yet, in
 * sentences that begin with a space. Empty if each of them can.
 *
 * @param nameOf returns the name of a role in a sentence
 */
export const absentReadersText = (
  { absent = [] }: Pick<Answer<'ask'>, 'absent'>,
  nameOf: (role: string) => string,
): string =>
  absent
    .map(({ role, cause }) => {
      const why = cause === 'REVOKED' ? 'has no access' : 'has not joined';
      return ` ${nameOf(role)} ${why}: it reads this after it has joined.`;
    })
    .join('');
