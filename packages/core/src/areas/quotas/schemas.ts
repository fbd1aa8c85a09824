import { z } from 'zod';
import { QUOTAS } from '../../kernel/limits.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { AGENTS } from '../../kernel/roles.ts';
import { AgentRole } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { type QuotaUse, quotaUseOf } from './rules.ts';

export const QuotaName = z.enum(QUOTAS).register(documented, { id: 'Quota' });

const Used = {
  quota: QuotaName,
  used: z.int(),
  limit: z.int(),
};

export const QuotaView = z.strictObject(Used);

export const viewQuota = ({ quota, used, limit }: QuotaUse): z.output<typeof QuotaView> => ({ quota, used, limit });

export const AgentQuotaView = z.strictObject({
  role: AgentRole,
  ...Used,
  most: z.int().describe('The highest limit that raiseQuota allows.'),
});
documented.add(AgentQuotaView, { id: 'AgentQuota' });

export const viewQuotas = (state: SessionState): z.output<typeof AgentQuotaView>[] =>
  AGENTS.flatMap((role) => QUOTAS.map((quota) => quotaUseOf(state, role, quota)));
