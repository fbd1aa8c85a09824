import { z } from 'zod';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { REVISION_STATUSES, statusOfLatest } from '../blockers/revision-status.ts';
import { BuilderRole } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { validationOf } from './rules.ts';
import { listValidation, RevisionFields, ValidationViewFields, viewRevision } from './schemas.ts';

/** Reply of a call that stores a new revision. */
export const NewRevision = z.strictObject({
  ...RevisionFields,
  status: z.enum(REVISION_STATUSES),
  ...ValidationViewFields,
  reviewers: z.array(BuilderRole).describe('Roles that must review the revision now; earlier reviews no longer count.'),
});
documented.add(NewRevision, { id: 'NewRevision' });

export function viewNewRevision(state: SessionState): z.output<typeof NewRevision> {
  const { latest, checked } = state.contract;
  if (!latest) throw new Error('A new revision was stored, but the state does not contain it.');
  const lists = boundedLists(LIST_COST);
  const validation = listValidation(lists, checked.validatorVersion, validationOf(state));
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    ...validation(),
    reviewers: [...BUILDERS],
    ...lists.leftOut(),
  };
}
