import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import type { SessionEvent } from '../catalog.ts';

const ids = z.array(z.string());

/** How the contract meets one mission requirement. */
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
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ revision_id: z.string(), mappings: z.array(StoredMapping) }),
  },
});

export interface Preflight {
  /** The revision it was submitted against; it is checked anew against each later one. */
  readonly revisionId: string;
  readonly mappings: readonly StoredMapping[];
  readonly at: string;
}

export function evolvePreflight(preflight: Preflight | null, event: SessionEvent): Preflight | null {
  if (event.kind !== 'preflight.submitted') return preflight;
  return { revisionId: event.data.revision_id, mappings: event.data.mappings, at: event.at };
}
