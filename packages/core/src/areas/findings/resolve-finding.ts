import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { FindingId, LongText } from '../fields.ts';
import { releasedWithFinding } from '../holds/rules.ts';
import { defineOperation } from '../operation.ts';
import { FINDING_OUTCOMES } from './events.ts';
import { findingOf, openFinding } from './rules.ts';
import { FindingResult, viewFindingChange } from './schemas.ts';

/** Spec 3. Only the agent that raised a finding can close it, even if this agent has become the Contract Author. */
export const resolveFinding = defineOperation({
  name: 'resolve_finding',
  summary: 'Close your finding and its hold; WITHDRAWN if it was wrong.',
  rest: { builder: 'POST findings/resolve', moderator: 'POST moderator/findings/resolve' },
  access: { builder: 'submit_final_review', moderator: true },
  worksWhilePaused: 'moderator',
  input: z
    .strictObject({ finding_id: FindingId, outcome: z.enum(FINDING_OUTCOMES), note: LongText.optional() })
    .register(documented, { id: 'FindingOutcomeInput' }),
  output: FindingResult,
  errors: ['UNKNOWN_RECORD', 'NOT_RAISER', 'FINDING_CLOSED'],

  decide({ findings, holds }, { finding_id, outcome, note }, { role }) {
    const { raised_by } = findingOf(findings, finding_id);
    if (raised_by !== role)
      fail('NOT_RAISER', `${raised_by} raised finding ${finding_id}; only ${raised_by} can resolve it.`, {
        raised_by,
      });
    openFinding(findings, finding_id);
    return [
      { kind: 'finding.resolved', data: { finding_id, outcome, note } },
      ...releasedWithFinding(holds, finding_id),
    ];
  },

  reply: (state, { finding_id }) => ({ finding: viewFindingChange(state, finding_id) }),
});
