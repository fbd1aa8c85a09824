import type { Agent, Builder } from './mission.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Calls a tool by its name, as one agent. Rejects if the call is refused. */
export type CallTool = (tool: string, input: Json, how?: HowToCall) => Promise<Json>;

interface HowToCall {
  /** The REST route of the tool, if an answer of the service contains it. */
  readonly route?: string;
}

/** The calls of the owner that a mission needs. */
export interface OwnerApi {
  createSession(input: Json): Promise<Json>;
  call(operation: string, sessionId: string, input: Json): Promise<Json>;
}

export interface Invitation {
  readonly sessionId: string;
  readonly role: Agent;
  readonly code: string;
}

/** A way to reach the service: in process, over REST or over MCP. */
export interface Transport {
  readonly owner: OwnerApi;
  /** Redeems the invitation. Returns the function with which the agent calls tools. */
  readonly agents: (invitation: Invitation) => Promise<CallTool>;
}

export interface JoinedAgents {
  readonly sessionId: string;
  readonly agents: Readonly<Record<Builder, CallTool>>;
  /** Calls tools as the moderator. Absent in missions without a moderator. */
  readonly moderator?: CallTool;
}
