import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActorName, At, FindingId, HoldId } from '../fields.ts';
import { RELEASE_CAUSES } from './events.ts';
import { HOLD_STATUSES, type Hold } from './state.ts';

export const HoldView = z.strictObject({
  hold_id: HoldId,
  finding_id: FindingId,
  status: z.enum(HOLD_STATUSES),
  reason: z.string(),
  opened_by: ActorName,
  opened_at: At,
  released: z
    .strictObject({ cause: z.enum(RELEASE_CAUSES), reason: z.string().nullable(), released_at: At })
    .nullable(),
});
documented.add(HoldView, { id: 'Hold' });
export const HoldResult = z.strictObject({ hold: HoldView }).register(documented, { id: 'HoldResult' });

export const HoldChange = HoldView.pick({ hold_id: true, finding_id: true, status: true });
documented.add(HoldChange, { id: 'HoldChange' });
export const HoldChangeResult = z.strictObject({ hold: HoldChange }).register(documented, { id: 'HoldChangeResult' });

export const viewHoldChange = ({ holdId, findingId, released }: Hold): z.output<typeof HoldChange> => ({
  hold_id: holdId,
  finding_id: findingId,
  status: released ? 'RELEASED' : 'ACTIVE',
});

export const viewHold = ({ holdId, findingId, reason, openedBy, at, released }: Hold): z.output<typeof HoldView> => ({
  hold_id: holdId,
  finding_id: findingId,
  status: released ? 'RELEASED' : 'ACTIVE',
  reason,
  opened_by: openedBy,
  opened_at: at,
  released: released && { cause: released.cause, reason: released.reason, released_at: released.at },
});
