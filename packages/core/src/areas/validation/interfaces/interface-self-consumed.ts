import type { ContractRule } from '../rule.ts';

export const interfaceSelfConsumed: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_SELF_CONSUMED',
  severity: 'warning',
  explanation: 'Each interface must have a consumer other than its provider.',
  hint: 'Name the real consumers, or remove the interface.',

  *check({ interfaces }) {
    for (const [at, { id, provider, consumers }] of interfaces.entries())
      if (consumers.length > 0 && consumers.every((consumer) => consumer === provider))
        yield { pointer: `/interfaces/${at}/consumers`, message: `Interface ${id} is consumed only by its provider.` };
  },
};
