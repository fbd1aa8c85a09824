import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

const ids = z.array(z.string());

export const StoredMapping = z.strictObject({
  requirement_id: z.string(),
  decisions: ids,
  tasks: ids,
  tests: ids,
  gates: ids,
  note: z.string().optional(),
});
export type StoredMapping = z.output<typeof StoredMapping>;

export const preflightEvents = defineEvents({
  'preflight.submitted': {
    seenBy: 'everyone',
    data: z.strictObject({ revision_id: z.string(), mappings: z.array(StoredMapping) }),
  },
});
