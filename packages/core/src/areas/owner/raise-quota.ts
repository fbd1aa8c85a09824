import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { AgentRole } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { amountOf, useOf } from '../quotas/rules.ts';
import { AgentQuotaView, QuotaName } from '../quotas/schemas.ts';
import { requireOpen } from './rules.ts';

/** As much again as the agent was given, as often as that leaves something to use; at most four times of it in all. */
export const raiseQuota = defineOperation({
  name: 'raiseQuota',
  summary:
    'Give an agent as much again of a quota of the session that it has used up; at most four times as much in all.',
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
      fail('LIMIT_EXCEEDED', `${role} has at most ${amountOf(quota, most)} of a session.`, { limit: most });
    const given = state.quotas.given[quota];
    const above = (Math.floor(used / given) + 1) * given;
    const limit = Math.min(most, Math.max(above, present + given));
    return [{ kind: 'quota.raised', data: { role, quota, limit } }];
  },

  reply: (state, { role, quota }) => ({ quota: useOf(state, role, quota) }),
});
