import type { SessionEvent } from '../catalog.ts';
import type { StoredMapping } from './events.ts';

export interface Preflight {
  /** The revision that was the latest when the preflight was submitted. */
  readonly revisionId: string;
  readonly mappings: readonly StoredMapping[];
  readonly at: string;
}

export function evolvePreflight(preflight: Preflight | null, event: SessionEvent): Preflight | null {
  if (event.kind !== 'preflight.submitted') return preflight;
  return { revisionId: event.data.revision_id, mappings: event.data.mappings, at: event.at };
}
