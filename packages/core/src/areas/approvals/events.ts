import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

/** The steps for which a session can require a second approver. */
export const STEPS_WITH_APPROVERS = ['approval', 'deployment', 'activation'] as const;

export const approvalEvents = defineEvents({
  /**
   * A person gave the first of two approvals of a step. The last approval is not recorded by this event, but by the event of the
   * step, such as contract.approved. No agent sees this event.
   */
  'approval.given': {
    v: 1,
    seenBy: 'owner',
    message: true,
    data: z.strictObject({
      stage: z.enum(STEPS_WITH_APPROVERS),
      /** For `approval`: the revision, and the hash of its contract. */
      revision_id: z.string().optional(),
      content_hash: z.string().optional(),
      /** For the other steps: the manifest, and the commits that both builders declared. */
      manifest_id: z.string().optional(),
      commits: z.strictObject({ agent_a: z.string(), agent_b: z.string() }).optional(),
      note: z.string().optional(),
    }),
  },
});
