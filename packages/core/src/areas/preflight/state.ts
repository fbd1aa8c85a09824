import type { Slice } from '../slice.ts';
import type { StoredMapping } from './events.ts';

export interface Preflight {
  /** The revision that was the latest when the preflight was submitted. */
  readonly revisionId: string;
  readonly mappings: readonly StoredMapping[];
  readonly at: string;
}

export const preflightSlice: Slice<Preflight | null> = {
  empty: null,
  folds: {
    'preflight.submitted': (_, { at, data: { revision_id, mappings } }) => ({ revisionId: revision_id, mappings, at }),
  },
};
