import { z } from 'zod';
import { namedObject } from '../../kernel/operation/documented.ts';
import { At, RevisionId } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { StoredMapping } from './events.ts';

export const PreflightView = namedObject('Preflight', {
  revision_id: RevisionId.describe('For which it was submitted; the latest if tasks and tests give every mapping.'),
  mappings: z.array(StoredMapping),
  submitted_at: At,
  complete: z.boolean().describe('Whether every mapped id is in the latest revision.'),
  faults: z.array(z.strictObject({ requirement_id: z.string(), missing: z.array(z.string()) })),
});

/** `revision_id` is the revision that was the latest when the preflight was submitted. */
export type Preflight = Readonly<Omit<z.output<typeof PreflightView>, 'complete' | 'faults'>>;

export const preflightSlice: Slice<Preflight | null> = {
  empty: null,
  folds: {
    'preflight.submitted': (_, { at, data }) => ({ ...data, submitted_at: at }),
  },
};
