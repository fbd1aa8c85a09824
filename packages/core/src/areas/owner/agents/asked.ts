import { z } from 'zod';
import { documented } from '../../../kernel/operation/documented.ts';
import { BUILDERS } from '../../../kernel/roles.ts';
import { lastIntervention } from '../../interventions/opening.ts';
import { InterventionResult, viewIntervention } from '../../interventions/schemas.ts';
import { absenceCauseByLog } from '../../session/owner-waits/absence.ts';
import type { SessionState } from '../../state.ts';

/** The answer to a question or directive of the owner. */
export const AskedResult = InterventionResult.extend({
  absent: z
    .array(z.strictObject({ role: z.enum(BUILDERS), cause: z.string() }))
    .optional()
    .describe('Targets that cannot read it yet: NOT_JOINED, or REVOKED. They read it after they have joined.'),
}).register(documented, { id: 'AskedResult' });

export function viewAsked(state: SessionState): z.infer<typeof AskedResult> {
  const intervention = viewIntervention(lastIntervention(state.interventions), 'owner');
  const absent = BUILDERS.flatMap((role) => {
    const cause = intervention.targets.includes(role) ? absenceCauseByLog(state, role) : undefined;
    return cause === undefined ? [] : [{ role, cause }];
  });
  return { intervention, ...(absent.length === 0 ? {} : { absent }) };
}
