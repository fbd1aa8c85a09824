import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { AgentRole } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { AgentQuotaView, QuotaName } from '../../quotas/record.ts';
import { amountOf, quotaUseOf } from '../../quotas/rules.ts';
import { requireOpen } from '../rules.ts';

/**
 * Raises the limit of a quota by its initial amount. If the agent has used more than this new limit, raises the limit
 * to the next multiple of the initial amount. The limit never exceeds four times the initial amount.
 */
export const raiseQuota = defineOperation({
  name: 'raiseQuota',
  summary: 'Raise a used-up quota of an agent by its initial amount, to at most four times that amount.',
  access: { owner: true },
  input: z.strictObject({
    role: AgentRole,
    quota: QuotaName.describe('What the quota limits: bytes of stored text, events, contract revisions, or findings.'),
  }),
  output: z.strictObject({ quota: AgentQuotaView }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said({ answer: { quota: raised }, nameOf }) {
    const { role, limit, quota, used } = raised;
    return `${nameOf(role)} may use ${limit} ${quota} now; ${used} are used.`;
  },

  decide(state, { role, quota }) {
    requireOpen(state, 'raiseQuota');
    const { used, limit: present, most } = quotaUseOf(state, role, quota);
    if (present >= most)
      fail(
        'LIMIT_EXCEEDED',
        `${role} already has the highest limit that raiseQuota allows: ${amountOf(quota, most)}.`,
        {
          limit: most,
          hint: 'Ask the agent to make no more writes that count for this quota, or end the session.',
        },
      );
    const given = state.quotas.given[quota];
    const above = (Math.floor(used / given) + 1) * given;
    const limit = Math.min(most, Math.max(above, present + given));
    return [{ kind: 'quota.raised', data: { role, quota, limit } }];
  },

  reply: (state, { role, quota }) => ({ quota: quotaUseOf(state, role, quota) }),
});
