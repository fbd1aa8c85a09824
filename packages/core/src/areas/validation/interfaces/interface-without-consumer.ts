import type { ContractRule } from '../rule.ts';

export const interfaceWithoutConsumer: ContractRule = {
  reads: 'contract',
  code: 'INTERFACE_WITHOUT_CONSUMER',
  severity: 'error',
  explanation: 'Each interface must have a consumer.',
  hint: 'Name the consumers (agent_a, agent_b or external:<name>), or remove the interface.',

  *check({ interfaces }) {
    for (const [at, { id, consumers }] of interfaces.entries())
      if (consumers.length === 0)
        yield { pointer: `/interfaces/${at}/consumers`, message: `Nobody consumes interface ${id}.` };
  },
};
