import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';

/** The decision that is the deployment, the activation and the end of the session at once. */
export const RELEASE = 'release';

/** The steps for which a session can require a second approver. */
export const STEPS_WITH_APPROVERS = ['approval', 'deployment', 'activation'] as const;

export const approvalEvents = defineEvents({
  /**
   * Records an approval that is not the last one that the step needs. The last approval is recorded by the event of the
   * step itself, such as `contract.approved`.
   */
  'approval.given': message(
    {
      stage: z.enum([...STEPS_WITH_APPROVERS, RELEASE]),
      /** `revision_id` and `content_hash` are present if `stage` is `approval`. */
      revision_id: z.string().optional(),
      content_hash: z.string().optional(),
      /**
       * `manifest_id` and `commits` are present if `stage` is `deployment`, `activation` or `release`. `commits` are the commits
       * that both builders declared.
       */
      manifest_id: z.string().optional(),
      commits: z.strictObject({ agent_a: z.string(), agent_b: z.string() }).optional(),
      note: z.string().optional(),
    },
    { seenBy: 'owner' },
  ),
});
