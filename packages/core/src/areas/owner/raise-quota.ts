import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { AgentRole } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { amountOf, useOf } from '../quotas/rules.ts';
import { AgentQuotaView, QuotaName } from '../quotas/schemas.ts';
import { requireOpen } from './rules.ts';

/** Adds the initial amount until the quota exceeds the used amount, up to four times the initial amount. */
export const raiseQuota = defineOperation({
  name: 'raiseQuota',
  summary: 'Raise a quota of an agent that is used up, by its initial amount; at most four times that amount in all.',
  access: { owner: true },
  input: z.strictObject({
    role: AgentRole,
    quota: QuotaName.describe('Bytes of stored text, events, contract revisions, or findings.'),
  }),
  output: z.strictObject({ quota: AgentQuotaView }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  decide(state, { role, quota }) {
    requireOpen(state, 'raiseQuota');
    const { used, limit: present, most } = useOf(state, role, quota);
    if (present >= most)
      fail('LIMIT_EXCEEDED', `${role} already has the most that raiseQuota allows: ${amountOf(quota, most)}.`, {
        limit: most,
      });
    const given = state.quotas.given[quota];
    const above = (Math.floor(used / given) + 1) * given;
    const limit = Math.min(most, Math.max(above, present + given));
    return [{ kind: 'quota.raised', data: { role, quota, limit } }];
  },

  reply: (state, { role, quota }) => ({ quota: useOf(state, role, quota) }),
});
