import type { z } from 'zod';
import type { sessionCatalog } from '../areas/catalog.ts';
import type { ownerOperations } from '../areas/owner-registry.ts';
import type { operations } from '../areas/registry.ts';
import type { OWNER_ROUTES } from '../areas/route-table.ts';
import type { BodyOf } from '../kernel/log/event-catalog.ts';
import type { InputOf, OutputOf } from '../kernel/operation/operation.ts';
import type { PersonRef } from '../kernel/person.ts';
import type { Actor } from '../kernel/roles.ts';
import type { OWNER_METHODS, OwnerMethod } from '../owner/methods.ts';
import type { After } from '../owner/owner.ts';
import type { erasureEvents } from '../owner/retention.ts';
import type { PEOPLE_METHODS, PeopleMethod } from '../people/methods.ts';
import type { peopleEvents } from '../people/state.ts';

/** The kinds of events of sessions, of people and of erased sessions. */
export type Catalog = typeof sessionCatalog & typeof peopleEvents & typeof erasureEvents;

/** The kinds of the events of sessions, of people and of erased sessions. */
export type EventName = keyof Catalog;
type SessionEventName = keyof typeof sessionCatalog;

type DataOf<K extends EventName> = z.output<Catalog[K]['data']>;

/** What an event contains. Members that the transcript leaves out are optional. */
export type EventBody<K extends EventName> = BodyOf<Catalog[K]>;

/** The kind of an event with the members that an event of this kind has. */
export type Happened<K extends EventName = EventName> = {
  [P in K]: { readonly kind: P; readonly body: EventBody<P> };
}[K];

/** An event as an entry of the transcript. */
export type EventEntry<K extends EventName = SessionEventName> = {
  readonly id: number;
  readonly at: string;
  readonly from: Actor;
  /** The person who acted for the owner. Absent if nobody is known. */
  readonly person?: PersonRef | undefined;
} & Happened<K>;

/** An event as the stream of a session's events and the exported log contain it. */
export type SentEvent = {
  readonly seq: number;
  readonly at: string;
  readonly v: number;
  readonly actor: Actor;
  readonly person?: PersonRef | undefined;
} & { [K in SessionEventName]: { readonly kind: K; readonly data: DataOf<K> } }[SessionEventName];

type Tool = (typeof operations)[number];
type NamedTool<N extends string> = Extract<Tool, { readonly name: N }>;
type SessionCall = (typeof ownerOperations)[number];
type NamedSessionCall<N extends string> = Extract<SessionCall, { readonly name: N }>;
type Methods = typeof OWNER_METHODS & typeof PEOPLE_METHODS;

/** The name of a tool of the agents, such as `post_turn`. */
export type ToolName = Tool['name'];
export type ToolInput<N extends ToolName> = InputOf<NamedTool<N>>;
export type ToolOutput<N extends ToolName> = OutputOf<NamedTool<N>>;

/** The name of an owner's call on one session, such as `pause`. */
export type SessionCallName = SessionCall['name'];
/** The calls whose answers are JSON lines or server-sent events. They are no calls of a client. */
export type OwnerStreamName = {
  [N in keyof Methods]: Methods[N] extends { readonly streams: string } ? N : never;
}[keyof Methods];
type MethodName = Exclude<OwnerMethod | PeopleMethod, OwnerStreamName>;

/** The name of a call of the owner, such as `createSession`, `pause` or `addPerson`. */
export type OwnerCallName = SessionCallName | MethodName;

/** The members of an input that become a part of the path: the id of a session, a person or an account. */
type PathMembers<Route> = Route extends `${string}{${infer Member}}${infer Rest}`
  ? { readonly [M in Member]: string } & PathMembers<Rest>
  : unknown;
type RouteOf<N> = N extends keyof typeof OWNER_ROUTES ? (typeof OWNER_ROUTES)[N] : '{session_id}';

/** An input without members has the type Record<string, never>, which would forbid the members of the path. */
type Body<Input> = Input extends Record<string, never> ? unknown : Input;

/** The input of an owner's call on one session, without the id of the session. */
export type SessionInput<N extends SessionCallName> = Body<InputOf<NamedSessionCall<N>>>;
export type OwnerInput<N extends OwnerCallName> = PathMembers<RouteOf<N>> &
  Body<
    N extends SessionCallName
      ? InputOf<NamedSessionCall<N>>
      : N extends MethodName
        ? z.input<Methods[N]['input']>
        : never
  >;

/** Answers with events. Their schemas allow events of any kind; these types say which members each kind has. */
interface EventAnswers {
  readonly transcript: Omit<OutputOf<NamedSessionCall<'transcript'>>, 'messages'> & { messages: EventEntry[] };
  readonly audit: Omit<AuditPage, 'events'> & {
    events: (Omit<AuditPage['events'][number], 'kind' | 'body'> & Happened)[];
  };
}
type AuditPage = z.output<Methods['audit']['output']>;

export type OwnerOutput<N extends OwnerCallName> = N extends keyof EventAnswers
  ? EventAnswers[N]
  : N extends SessionCallName
    ? OutputOf<NamedSessionCall<N>>
    : N extends MethodName
      ? z.output<Methods[N]['output']>
      : never;

/** The answer to a call of an agent or of the owner, by its name. The few names that both have are the agents'. */
export type Answer<N extends ToolName | OwnerCallName> = N extends ToolName
  ? ToolOutput<N>
  : N extends OwnerCallName
    ? OwnerOutput<N>
    : never;

/** The arguments of a call after its name: the input can be left out if it has no required member. */
type Arguments<Input, Options> =
  Record<never, never> extends Input ? [input?: Input, options?: Options] : [input: Input, options?: Options];

export interface CallOptions {
  /** Ends the call. It then rejects with the reason of the signal. A write may have been stored. */
  readonly signal?: AbortSignal | undefined;
}

export interface OwnerCallOptions extends CallOptions {
  /**
   * The Idempotency-Key of a write: 1 to 200 visible ASCII characters. For 24 hours, the same call with the same key gets
   * the answer of the first, so the client sends it again if an answer is lost.
   */
  readonly key?: string;
}

/** Calls the tools of one agent. `parley.agent(token)` is the same in process. */
export interface AgentClient {
  /**
   * Calls a tool. The name of the tool determines the types of its input and its answer.
   *
   * @throws ParleyError if Parley refuses the call; NoAnswer if no answer of Parley arrives
   */
  call<N extends ToolName>(name: N, ...rest: Arguments<ToolInput<N>, CallOptions>): Promise<ToolOutput<N>>;
}

/** Makes the calls of one owner. */
export interface OwnerClient {
  /**
   * Makes a call. Its name determines the types of its input and its answer. The input of a call on one session has the
   * member `session_id`.
   *
   * @throws ParleyError if Parley refuses the call; NoAnswer if no answer of Parley arrives
   */
  call<N extends OwnerCallName>(name: N, ...rest: Arguments<OwnerInput<N>, OwnerCallOptions>): Promise<OwnerOutput<N>>;
  /**
   * Makes a write on one session, like `call`. The answer also has what the write has done, and the session after it. `after` is absent
   * if the service is of a version that does not send it.
   */
  act<N extends SessionCallName>(
    name: N,
    ...rest: Arguments<OwnerInput<N>, CallOptions>
  ): Promise<OwnerOutput<N> & { readonly after?: After }>;
}
