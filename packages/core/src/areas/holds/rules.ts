import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import type { SessionDraft } from '../catalog.ts';
import { pickOf, recordIn } from '../listing.ts';
import { type Hold, type Holds, HoldView } from './state.ts';

export const holdOf = ({ all }: Holds, id: string): Hold => recordIn(all, 'hold', id);

export function activeHold(holds: Holds, id: string): Hold {
  const hold = holdOf(holds, id);
  if (hold.released)
    fail('HOLD_CLOSED', `Hold ${id} is already released; the cause was ${hold.released.cause}.`, { hold_id: id });
  return hold;
}

export const activeHolds = ({ all, active }: Holds): Hold[] => active.flatMap((id) => lookUp(all, id) ?? []);

export const holdOn = (holds: Holds, findingId: string): Hold | undefined =>
  activeHolds(holds).find((hold) => hold.finding_id === findingId);

export const openedHoldDraft = ({ all }: Holds, findingId: string, reason: string): SessionDraft => ({
  kind: 'hold.opened',
  data: { hold_id: `h_${all.size + 1}`, finding_id: findingId, reason },
});

/** The event that releases the hold on a closed finding. Empty if the finding has no active hold. */
export function releasedWithFinding(holds: Holds, findingId: string): SessionDraft[] {
  const hold = holdOn(holds, findingId);
  if (!hold) return [];
  const data = { hold_id: hold.hold_id, finding_id: findingId, cause: 'FINDING_CLOSED' as const };
  return [{ kind: 'hold.released', data, actor: 'system' }];
}

export function refuseHeld(holds: Holds, what: string): void {
  const active = activeHolds(holds).map(({ hold_id }) => hold_id);
  if (active.length > 0)
    fail('HOLD_ACTIVE', `${what} is stopped by active holds: ${active.join(', ')}.`, { hold_ids: active });
}

export const HoldResult = namedObject('HoldResult', { hold: HoldView });

export const HoldChange = HoldView.pick({ hold_id: true, finding_id: true, status: true });
documented.add(HoldChange, { id: 'HoldChange' });
export const HoldChangeResult = namedObject('HoldChangeResult', { hold: HoldChange });

export const viewHoldChange = pickOf(HoldChange);

export const viewHold = pickOf(HoldView);
