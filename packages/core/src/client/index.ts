/** Typed clients of Parley, for programs in Node and for pages in browsers. */
export { ParleyError } from '../kernel/errors.ts';
export { CHANGING_COLUMNS } from '../kernel/storage/storage.ts';
export type { After } from '../owner/owner.ts';
export type {
  AgentClient,
  Answer,
  CallOptions,
  EventBody,
  EventEntry,
  EventName,
  Happened,
  OwnerCallName,
  OwnerCallOptions,
  OwnerClient,
  OwnerInput,
  OwnerOutput,
  OwnerStreamName,
  SentEvent,
  SessionCallName,
  SessionInput,
  ToolInput,
  ToolName,
  ToolOutput,
} from './calls.ts';
export {
  createAgentClient,
  createOwnerClient,
  type HttpOptions,
  NoAnswer,
  overHttp,
  ownerInProcess,
  redeem,
  type Seat,
  type Sending,
  type Transport,
} from './clients.ts';
export { wrongMember } from './forms.ts';
