import { z } from 'zod';
import { isBuilder } from '../../kernel/roles.ts';
import { requireLatest } from '../contract/rules.ts';
import { RevisionId, text } from '../fields.ts';
import { caveatFindings } from '../findings/rules.ts';
import { defineOperation } from '../operation.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { REVIEW_VERDICTS } from './events.ts';
import { currentReview } from './rules.ts';
import { GivenReviewView, viewGivenReviews } from './schemas.ts';

/** Spec 4.2. Stores a builder's review of the latest revision. Both builders must review. */
export const submitFinalReview = defineOperation({
  name: 'submit_final_review',
  summary: 'Give your verdict on the latest revision.',
  rest: 'POST final-review',
  access: { builder: 'submit_final_review' },
  phases: ['CONTRACT'],
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: text(100),
    verdict: z.enum(REVIEW_VERDICTS),
    caveats: z.array(text(2_000)).max(50).optional().describe('What must change; APPROVE opens a finding for each.'),
  }),
  output: z.strictObject({
    reviews: z.array(GivenReviewView),
    certified: z.boolean(),
    blockers: z.int().describe('How many blockers of certification are left.'),
  }),
  errors: ['UNKNOWN_RECORD', 'STALE_REVISION', 'HASH_MISMATCH'],

  decide(state, { revision_id, content_hash, verdict, caveats = [] }, { role }) {
    requireLatest(state, revision_id, content_hash);
    const own = isBuilder(role) ? currentReview(state, role) : undefined;
    const isSame = own?.verdict === verdict && JSON.stringify(own.caveats) === JSON.stringify(caveats);
    if (isSame) return [];
    const findings = verdict === 'APPROVE' ? caveatFindings(state.findings, role, caveats) : undefined;
    return [{ kind: 'review.submitted', data: { revision_id, content_hash, verdict, caveats, findings } }];
  },

  reply(state) {
    const { length } = stoppingTasks(state);
    return { reviews: viewGivenReviews(state), certified: length === 0, blockers: length };
  },
});
