import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { validationOf } from '../contract/rules.ts';
import { RevisionId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { isCertified } from '../tasks/agent-tasks.ts';

/**
 * INVALID: the contract has validation errors. IN_REVIEW: something else blocks certification. CERTIFIED: nothing blocks
 * it. APPROVED: the owner has approved the revision, and its manifest is frozen.
 */
export const REVISION_STATUSES = ['INVALID', 'IN_REVIEW', 'CERTIFIED', 'APPROVED'] as const;

export function statusOfLatest(state: SessionState): (typeof REVISION_STATUSES)[number] {
  if (state.manifest.current) return 'APPROVED';
  if (validationOf(state).error_count > 0) return 'INVALID';
  return isCertified(state) ? 'CERTIFIED' : 'IN_REVIEW';
}

export const RevisionRef = z.strictObject({
  revision_id: RevisionId,
  content_hash: z.string(),
  title: z.string().optional(),
  status: z.enum(REVISION_STATUSES).register(documented, { id: 'RevisionStatus' }),
});
documented.add(RevisionRef, { id: 'RevisionRef' });
export const viewRevisionRef = (state: SessionState): z.output<typeof RevisionRef> | null => {
  const { latest } = state.contract;
  if (!latest) return null;
  const { revision_id, content_hash, title } = latest;
  return { revision_id, content_hash, title, status: statusOfLatest(state) };
};
