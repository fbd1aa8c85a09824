export const BUILDERS = ['agent_a', 'agent_b'] as const;
export const AGENTS = [...BUILDERS, 'moderator'] as const;
export const ROLES = [...AGENTS, 'owner'] as const;
export const ACTORS = [...ROLES, 'system'] as const;

/** One of the two agents that plan and build: `agent_a` or `agent_b`. */
export type Builder = (typeof BUILDERS)[number];
/** The roles that can have a token. */
export type Agent = (typeof AGENTS)[number];
/** The roles that can call operations. */
export type Role = Agent | 'owner';
/** The possible actors of an event. */
export type Actor = (typeof ACTORS)[number];

export const otherBuilder = (builder: Builder): Builder => (builder === 'agent_a' ? 'agent_b' : 'agent_a');

export const isBuilder = (role: string): role is Builder => role === 'agent_a' || role === 'agent_b';

/** The name of a role inside a sentence: `agent_a`, or `the owner`. */
export const partyWords = (role: Role): string => (isBuilder(role) ? role : `the ${role}`);
