import { z } from 'zod';
import { type BoundedLists, boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { REVISION_STATUSES, statusOfLatest } from '../blockers/revision-status.ts';
import { BuilderRole } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { preflightFaults } from '../preflight/rules.ts';
import type { SessionState } from '../state.ts';
import { RevisionFields } from './record.ts';
import { validationOf } from './rules.ts';
import { listValidation, ValidationViewFields, viewRevision } from './schemas.ts';

export const NewRevision = z.strictObject({
  ...RevisionFields,
  status: z.enum(REVISION_STATUSES),
  ...ValidationViewFields,
  preflight: z
    .strictObject({ kept: z.int(), to_map: z.array(z.string()) })
    .optional()
    .describe('kept: number of mappings that still fit; to_map: requirements to map again with submit_preflight.'),
  reviewers: z.array(BuilderRole).describe('Roles that must review the revision now; earlier reviews no longer count.'),
});
documented.add(NewRevision, { id: 'NewRevision' });

export function viewNewRevision(state: SessionState): z.output<typeof NewRevision> {
  const { latest, checked } = state.contract;
  if (!latest) throw new Error('A new revision was stored, but the state does not contain it.');
  const lists = boundedLists(LIST_COST);
  const preflight = listPreflight(lists, state);
  const validation = listValidation(lists, checked.validator_version, validationOf(state));
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    ...validation(),
    ...preflight(),
    reviewers: [...BUILDERS],
    ...lists.leftOut(),
  };
}

/**
 * Makes the member `preflight` of the answer: the number of mappings that still fit the latest revision, and the
 * requirements that must be mapped again. The member is left out if there is no preflight, or if the revision breaks
 * the schema.
 */
function listPreflight(
  lists: BoundedLists,
  { preflight, contract: { outline } }: SessionState,
): () => Pick<z.output<typeof NewRevision>, 'preflight'> {
  if (!preflight || !outline) return () => ({});
  const faults = preflightFaults(outline, preflight.mappings).map(({ requirement_id }) => requirement_id);
  const kept = preflight.mappings.length - faults.length;
  const toMap = lists.list({ records: faults, view: (id) => id, how: () => 'get_preflight lists them.' });
  return () => ({ preflight: { kept, to_map: toMap() } });
}
