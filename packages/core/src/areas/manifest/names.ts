import type { Builder } from '../../kernel/roles.ts';

/** The handoff of one builder, for that builder alone. */
export const handoffName = (builder: Builder): string =>
  builder === 'agent_a' ? 'handoff-agent-a.md' : 'handoff-agent-b.md';
