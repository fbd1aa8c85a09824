import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActorName, At, FindingId, HoldId } from '../fields.ts';
import { RELEASE_CAUSES } from './events.ts';

/** An active hold blocks the approval and every authorization. */
export const HoldView = z.strictObject({
  hold_id: HoldId,
  finding_id: FindingId,
  status: z.enum(['ACTIVE', 'RELEASED']),
  reason: z.string(),
  opened_by: ActorName,
  opened_at: At,
  released: z
    .strictObject({ cause: z.enum(RELEASE_CAUSES), reason: z.string().nullable(), released_at: At })
    .nullable(),
});
documented.add(HoldView, { id: 'Hold' });

export interface Hold extends Readonly<z.output<typeof HoldView>> {
  readonly seq: number;
}
