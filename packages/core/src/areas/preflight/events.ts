import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';

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
  'preflight.submitted': message({ revision_id: z.string(), mappings: z.array(StoredMapping) }),
});
