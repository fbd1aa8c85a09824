import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { pickOf } from '../pick.ts';
import { HoldView } from './record.ts';

export const HoldResult = z.strictObject({ hold: HoldView }).register(documented, { id: 'HoldResult' });

export const HoldChange = HoldView.pick({ hold_id: true, finding_id: true, status: true });
documented.add(HoldChange, { id: 'HoldChange' });
export const HoldChangeResult = z.strictObject({ hold: HoldChange }).register(documented, { id: 'HoldChangeResult' });

export const viewHoldChange = pickOf(HoldChange);

export const viewHold = pickOf(HoldView);
