import type { ParleyError } from '../errors.ts';
import type { Reply } from '../reply.ts';
import type { Agent } from '../roles.ts';
import type { JsonSchema } from './json-schema.ts';

/** The sender of a request, as far as the host knows. */
export interface Sender {
  /** The raw values of every Authorization header, in order; for the path-token form use `pathToken` instead. */
  readonly authorization: readonly string[];
  /**
   * The path segment in which a token is expected, not percent-decoded. Null if the request has such a segment but the host
   * accepts no tokens in paths. Absent if the token is expected in the header.
   */
  readonly pathToken?: string | null | undefined;
  /** The client address, with trusted proxies already resolved. */
  readonly address: string;
  /** A signal that aborts when the client leaves. A held poll of this client then ends at once. */
  readonly signal?: AbortSignal | undefined;
}

/** A REST request of which only the head has been read. */
export interface RouteRequest extends Sender {
  readonly method: string;
  /** The raw path below the prefix, without the query: `/sessions/3Q…/turns`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly idempotencyKeys: readonly string[];
  /** True if a browser reports that a page of another origin sent the request (Sec-Fetch-Site). */
  readonly isFromForeignPage?: boolean;
  /** Reads the body. Called at most once, and only after access was granted. Rejects with `BODY_TOO_LARGE`. */
  readonly readBody: () => Promise<string>;
}

export interface Answer {
  readonly status: number;
  /** The body as JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The facts about a tool: its description and its input. The host decides how to present them. */
export interface ToolFacts {
  readonly name: string;
  readonly summary: string;
  readonly effect: 'read' | 'write';
  /** Whether a repeated call with the same idempotency key gets the first answer and changes nothing. */
  readonly takesIdempotencyKey: boolean;
  /** Whether the answer contains stored texts, and can therefore be large. */
  readonly readsTexts: boolean;
  readonly inputSchema: JsonSchema;
}

/** One admitted MCP request: counted, and its token authenticated. */
export interface Admission {
  readonly role: Agent;
  readonly sessionId: string;
  /** Counts further calls of a batch: all of them, or none if they exceed the limit. Throws RATE_LIMITED. */
  charge(elements: number): Promise<void>;
  /** Confirms the token on a head that the storage confirmed for this request. */
  confirm(): Promise<void>;
  /** The tools that this token can call, those needed most first. All tokens of a role get the same array. */
  readonly tools: readonly ToolFacts[];
  /** Whether `tools/call` accepts the name: listed tools and the older names of specification 4.3. */
  hasTool(name: string): boolean;
  /**
   * Runs one tool.
   *
   * @param input the `arguments` object as parsed from JSON
   * @param maxWaitSeconds seconds that this call may wait: the rest of the request's waiting time
   * @returns the result, as a value and as its JSON text
   * @throws ParleyError for every refusal. The JSON-RPC number -32001 ends the request; any other refusal is a tool result
   */
  callTool(name: string, input: unknown, maxWaitSeconds?: number): Promise<Reply>;
  /** Like `callTool`, for `arguments` that `parseJson` refuses. Throws INVALID_INPUT with the place of the fault. */
  callToolText(name: string, argumentsText: string, maxWaitSeconds?: number): Promise<Reply>;
}

/** A route of the registry, for documentation and for hosts that register each route. */
export interface RouteListing {
  readonly method: 'GET' | 'POST';
  /** Path below the prefix. `:session_id` stands for the id of the session. */
  readonly path: string;
}

/** The interface of Parley for a host. A host knows no operation, role or scope by name. */
export interface HostPort {
  readonly routes: readonly RouteListing[];
  readonly service: { readonly name: string; readonly version: string };
  /** Answers one REST request. Never rejects: failures become answers with an error body. */
  callRoute(request: RouteRequest): Promise<Answer>;
  /** Counts a request that the host refuses without looking at its token. Throws RATE_LIMITED. */
  count(sender: Sender): Promise<void>;
  /** Counts and authenticates an MCP request. Throws RATE_LIMITED, UNAUTHORIZED, TOKEN_*, MODERATOR_*, SHUTTING_DOWN. */
  admit(sender: Sender): Promise<Admission>;
  /** Parses a body. Refuses some faults that `JSON.parse` accepts. Throws INVALID_JSON; its message names the fault. */
  parseJson(text: string): unknown;
  /** Converts any thrown value to an error body; unknown values are reported and become INTERNAL. */
  toError(thrown: unknown): ParleyError;
  /** Refuses new requests with SHUTTING_DOWN and answers every held poll with the current state. */
  drain(): Promise<void>;
}
