import type { Builder } from '../../kernel/roles.ts';

/** The files that an approval makes of the contract itself. */
export const ARTIFACT_NAMES = {
  sharedContract: 'shared-contract.json',
  contract: 'contract.md',
  handshake: 'handshake.json',
  verificationPlan: 'verification-plan.json',
  agent_a: 'handoff-agent-a.md',
  agent_b: 'handoff-agent-b.md',
} as const;

/** The handoff of one builder, for that builder alone. */
export const handoffName = (builder: Builder): string => ARTIFACT_NAMES[builder];
