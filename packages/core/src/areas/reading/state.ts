import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';

export interface SectionRead {
  readonly section: string;
  /** SHA-256 of the section's JSON. */
  readonly sha256: string;
  readonly at: string;
}

/** The sections that the owner has read, by revision id. */
export type Reading = PersistentMap<readonly SectionRead[]>;

export const emptyReading: Reading = emptyMap();

export function evolveReading(reading: Reading, event: SessionEvent): Reading {
  if (event.kind !== 'reading.recorded') return reading;
  const { revision_id, sections } = event.data;
  const before = lookUp(reading, revision_id) ?? [];
  const added = sections.map(({ section, sha256 }) => ({ section, sha256, at: event.at }));
  return withEntry(reading, revision_id, [...before, ...added]);
}
