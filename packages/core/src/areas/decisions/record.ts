import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { EvidenceRefs } from '../evidence.ts';
import { At, BuilderRole, DecisionId } from '../fields.ts';
import { DECISION_STATUSES } from './events.ts';

export const DecisionView = z.strictObject({
  decision_id: DecisionId,
  topic: z.string(),
  position: z
    .string()
    .nullable()
    .describe('Null in lists for a SUPERSEDED, WITHDRAWN or REJECTED decision; with decision_id, always given.'),
  evidence: EvidenceRefs,
  status: z.enum(DECISION_STATUSES).register(documented, { id: 'DecisionStatus' }),
  active: z.boolean(),
  proposed_by: BuilderRole,
  accepted_by: z
    .array(BuilderRole)
    .describe('Who has accepted the decision, or had accepted it when it was superseded.'),
  revision: z.int(),
  supersedes: DecisionId.nullable(),
  changes: z.string().optional().describe('Words that differ from the superseded position: [-removed-] {+added+}.'),
  reason: z.string().nullable().describe('Why the decision was withdrawn or rejected.'),
  proposed_at: At,
});
documented.add(DecisionView, { id: 'Decision' });

/**
 * A decision in the state. Once it is SUPERSEDED, WITHDRAWN or REJECTED, its position is null and its evidence is
 * empty, because then only the log contains them.
 */
export interface Decision extends Readonly<Omit<z.output<typeof DecisionView>, 'active' | 'changes'>> {
  /** Numbers of the events with the texts of the decision: first the proposal, then each addition of evidence. */
  readonly text_seqs: readonly number[];
  /**
   * The position of the decision that this decision superseded. Absent if this decision superseded none or is no longer
   * active.
   */
  readonly superseded?: string;
}
