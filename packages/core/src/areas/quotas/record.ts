import { z } from 'zod';
import { QUOTAS } from '../../kernel/limits.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { AgentRole } from '../fields.ts';

export const QuotaName = z.enum(QUOTAS).register(documented, { id: 'Quota' });

const Used = {
  quota: QuotaName,
  used: z.int(),
  limit: z.int(),
};

export const QuotaView = z.strictObject(Used);

export const AgentQuotaView = z.strictObject({
  role: AgentRole,
  ...Used,
  most: z.int().describe('The highest limit that raiseQuota allows.'),
});
documented.add(AgentQuotaView, { id: 'AgentQuota' });

export type QuotaUse = Readonly<z.output<typeof AgentQuotaView>>;
