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
  wait_id: z.string().describe('The same as long as it waits for the same reason.'),
  kind: z.enum(WAIT_KINDS),
  record: RecordRef,
  operation: z.string().describe("The owner's operation that settles it."),
  payload: z.record(z.string(), z.unknown()).describe('What is known of its input.'),
  text: z.string(),
  blocking: z.boolean().describe('Whether the session cannot go on without it.'),
});
documented.add(OwnerWaitView, { id: 'OwnerWait' });

export type OwnerWait = z.output<typeof OwnerWaitView>;
