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

/** The 15 scopes of a builder token (specification 5.8). No tool needs the scope ask_agent. */
export const SCOPES = [
  'read_task',
  'read_session_state',
  'read_messages',
  'post_turn',
  'post_evidence',
  'answer_question',
  'get_final_plan',
  'get_contract_schema',
  'elect_contract_author',
  'submit_contract',
  'submit_position',
  'submit_final_review',
  'verify_read',
  'verify_execute',
  'ask_agent',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Permissions that an owner can grant to a moderator (specification 4.3). */
export const PERMISSIONS = ['ask', 'find', 'hold', 'review', 'recommend'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The latest call that an agent made. */
export interface LastCall {
  /** Time of the call, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether a long-poll of the agent is waiting. */
  readonly isWaiting: boolean;
}

/** The latest call of each role in one session. Leaves out roles whose latest call is not known. */
export type LastCalls = Readonly<Partial<Record<Agent, LastCall>>>;

/** The present time and the latest call of each agent. An answer to the owner can use them in addition to the state. */
export interface Presence {
  /** The present time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Number of milliseconds without a call after which an agent that has a task counts as silent. */
  readonly silentAfterMs: number;
  readonly calls: LastCalls;
}
