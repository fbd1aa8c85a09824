import type { Agent, Builder } from './mission.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What an agent can call: a tool by its name. Rejects when the call is refused. */
export type AgentFace = (tool: string, input: Json, how?: HowToCall) => Promise<Json>;

interface HowToCall {
  /** Where the tool is found over REST, when an answer of the service has just said so. */
  readonly route?: string;
}

/** The part of the owner's side that a mission needs. */
export interface OwnerFace {
  createSession(input: Json): Promise<Json>;
  call(operation: string, sessionId: string, input: Json): Promise<Json>;
}

export interface Invitation {
  readonly sessionId: string;
  readonly role: Agent;
  readonly code: string;
}

/** Where a mission is played: nothing here knows a transport. */
export interface Stage {
  readonly owner: OwnerFace;
  /** Redeems the invitation and returns what its holder can call. */
  readonly agents: (invitation: Invitation) => Promise<AgentFace>;
}

export interface Cast {
  readonly sessionId: string;
  readonly agents: Readonly<Record<Builder, AgentFace>>;
  /** In missions that have one. */
  readonly moderator?: AgentFace;
}
