import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../catalog.ts';

export interface SectionRead {
  readonly section: string;
  /** SHA-256 of the section's JSON. */
  readonly sha256: string;
  readonly at: string;
}

/** By id of each revision that the owner has read or approved: the sections that the owner has marked as read. */
export type Reading = PersistentMap<readonly SectionRead[]>;

export const readingSlice: Slice<Reading> = {
  empty: emptyMap(),
  folds: {
    'reading.recorded': (reading, { at, data: { revision_id, sections } }) => {
      const before = lookUp(reading, revision_id) ?? [];
      const added = sections.map(({ section, sha256 }) => ({ section, sha256, at }));
      return withEntry(reading, revision_id, [...before, ...added]);
    },
    'contract.approved': (reading, { data: { revision_id } }) =>
      withEntry(reading, revision_id, lookUp(reading, revision_id) ?? []),
  },
};
