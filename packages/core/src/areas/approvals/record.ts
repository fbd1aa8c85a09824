import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At } from '../fields.ts';

export const PersonView = z.strictObject({ id: z.string(), name: z.string() });
documented.add(PersonView, { id: 'Person' });

export const ApprovalView = z.strictObject({
  person: PersonView.nullable().describe('Null if the call named no person.'),
  at: At,
});
documented.add(ApprovalView, { id: 'Approval' });

export interface Approval extends Readonly<z.output<typeof ApprovalView>> {
  /** Number of the event that stored the approval. */
  readonly seq: number;
  /** Whether this approval was the last one that the step needed. */
  readonly is_last: boolean;
  /** Numbers of the other approvals that counted for the step. Only in the last approval of a step that needs several. */
  readonly counted?: readonly number[];
  /** The person is not an approver any more. Never in a folded state: `withStanding` adds it for one call. */
  readonly lapsed?: true;
  /** The `countsAs` of the person. Never in a folded state, like `lapsed`. */
  readonly counts_as?: string;
}
