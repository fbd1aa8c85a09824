import { GATE_STAGES } from '../../document/contract.ts';
import type { ContractRule } from '../rule.ts';

export const gateMissing: ContractRule = {
  reads: 'contract',
  code: 'GATE_MISSING',
  severity: 'warning',
  explanation: 'The stages build, deployment and activation must each have a gate.',
  hint: 'Add a gate for the stage with a condition that the owner can check.',

  *check({ gates }) {
    for (const stage of GATE_STAGES)
      if (!gates.some((gate) => gate.stage === stage))
        yield { pointer: '/gates', message: `The stage ${stage} has no gate.` };
  },
};
