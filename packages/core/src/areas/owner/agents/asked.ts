import { z } from 'zod';
import { documented } from '../../../kernel/operation/documented.ts';
import { type Agent, BUILDERS } from '../../../kernel/roles.ts';
import { lastIntervention } from '../../interventions/opening.ts';
import { InterventionResult, viewIntervention } from '../../interventions/schemas.ts';
import { absenceCauseByLog } from '../../session/owner-waits/absence.ts';
import type { SessionState } from '../../state.ts';

const AbsentTarget = z.strictObject({ role: z.enum(BUILDERS), cause: z.string() });
documented.add(AbsentTarget, { id: 'AbsentTarget' });

/** The member of the answer to a question, a directive or a task of the owner about those who cannot read it yet. */
export const ABSENT = {
  absent: z
    .array(AbsentTarget)
    .optional()
    .describe('Targets that cannot read it yet: NOT_JOINED, or REVOKED. They read it after they have joined.'),
};

/** The answer to a question or directive of the owner. */
export const AskedResult = InterventionResult.extend(ABSENT).register(documented, { id: 'AskedResult' });

export function viewAsked(state: SessionState): z.infer<typeof AskedResult> {
  const intervention = viewIntervention(lastIntervention(state.interventions), 'owner');
  return { intervention, ...viewAbsent(state, intervention.targets) };
}

/** The targets that cannot read what the owner sends. The member is left out if there are none. */
export function viewAbsent(state: SessionState, targets: readonly Agent[]) {
  const absent = BUILDERS.flatMap((role) => {
    const cause = targets.includes(role) ? absenceCauseByLog(state, role) : undefined;
    return cause === undefined ? [] : [{ role, cause }];
  });
  return absent.length === 0 ? {} : { absent };
}

/**
 * What is said about the targets that cannot read it yet, in sentences that begin with a space. Empty if each of them can.
 *
 * @param nameOf returns the name of a role in a sentence
 */
export const absentText = (absent: z.infer<typeof ABSENT.absent> = [], nameOf: (role: string) => string): string =>
  absent
    .map(({ role, cause }) => {
      const why = cause === 'REVOKED' ? 'has no access' : 'has not joined';
      return ` ${nameOf(role)} ${why}: it reads this after it has joined.`;
    })
    .join('');
