import { type Members, recordsIn, textIn } from './message.ts';

/**
 * What the answer to a question, a directive or a task of the owner says about the agents that cannot read it yet, in
 * sentences that begin with a space. Empty if each of them can.
 *
 * @param nameOf returns the name of a role in a sentence
 */
export const absentReadersText = (answer: Members, nameOf: (role: string) => string): string =>
  recordsIn(answer, 'absent')
    .map((one) => {
      const cause = textIn(one, 'cause') === 'REVOKED' ? 'has no access' : 'has not joined';
      return ` ${nameOf(textIn(one, 'role'))} ${cause}: it reads this after it has joined.`;
    })
    .join('');
