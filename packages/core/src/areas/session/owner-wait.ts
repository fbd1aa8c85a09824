import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { RecordRef } from '../fields.ts';

const WAIT_KINDS = [
  'START',
  'RESUME',
  'QUESTION',
  'RECOMMENDATION',
  'BLOCKER',
  'APPROVAL',
  'HOLD',
  'BUILD',
  'REPORTED_BLOCKED',
  'STUCK',
  'DEPLOYMENT',
  'ACTIVATION',
  'END',
  'QUOTA_LOW',
  'QUOTA_EXHAUSTED',
  'LOG_BROKEN',
] as const;

/** Something that waits for the owner. */
export const OwnerWaitView = z.strictObject({
  wait_id: z.string().describe('Stays the same while the reason stays the same.'),
  kind: z.enum(WAIT_KINDS),
  record: RecordRef,
  operation: z.string().describe("The owner's operation that settles the wait."),
  payload: z.record(z.string(), z.unknown()).describe('The known part of its input.'),
  text: z.string(),
  blocking: z.boolean().describe('Whether the session cannot go on before it is settled.'),
});
documented.add(OwnerWaitView, { id: 'OwnerWait' });

export type OwnerWait = z.output<typeof OwnerWaitView>;
