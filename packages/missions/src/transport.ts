import type { AgentClient } from '@parley/core/client';
import type { Agent, Builder } from './mission.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Calls a tool that a mission or an answer names as plain text. Rejects if the call is refused. */
export type CallByName = (tool: string, input: Json, how?: HowToCall) => Promise<Json>;

/** The calls of one agent: of known tools with their types, and of tools named as plain text. */
export type CallTool = AgentClient['call'] & CallByName;

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
  /** Redeems the invitation. Returns the function with which the agent calls tools, such as `call` of an `AgentClient`. */
  readonly agents: (invitation: Invitation) => Promise<AgentClient['call'] | CallByName>;
}

export interface JoinedAgents {
  readonly sessionId: string;
  readonly agents: Readonly<Record<Builder, CallTool>>;
  /** Calls tools as the moderator. Absent in missions without a moderator. */
  readonly moderator?: CallTool;
}
