import type { Builder } from '../../kernel/roles.ts';

/** Names of the files that are generated from a contract when the owner approves it. */
export const ARTIFACT_NAMES = {
  sharedContract: 'shared-contract.json',
  contract: 'contract.md',
  handshake: 'handshake.json',
  verificationPlan: 'verification-plan.json',
  agent_a: 'handoff-agent-a.md',
  agent_b: 'handoff-agent-b.md',
} as const;

export const handoffName = (builder: Builder): string => ARTIFACT_NAMES[builder];
