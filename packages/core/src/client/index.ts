/** Typed clients of Parley, for programs in Node and for pages in browsers. */
export { ParleyError } from '../kernel/errors.ts';
export type { After } from '../owner/after.ts';
export { createAgentClient, redeem, type Seat } from './agent-client.ts';
export type {
  AgentClient,
  Answer,
  CallOptions,
  OwnerCallName,
  OwnerCallOptions,
  OwnerClient,
  OwnerInput,
  OwnerOutput,
  OwnerStreamName,
  SessionCallName,
  SessionInput,
  ToolInput,
  ToolName,
  ToolOutput,
} from './calls.ts';
export type { EventBody, EventEntry, EventName, Happened, SentEvent } from './events.ts';
export { wrongMember } from './forms.ts';
export { type HttpOptions, NoAnswer, overHttp, type Sending, type Transport } from './over-http.ts';
export { createOwnerClient, ownerInProcess } from './owner-client.ts';
