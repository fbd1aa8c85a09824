import type { ParleyError } from '../errors.ts';
import type { Agent } from '../roles.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Caller, DecideEnv, Effect, Operation } from './operation.ts';

/**
 * An answer, as a value and as its JSON text. An implementation holds one of the two and computes the other when it is
 * read.
 */
export interface Reply {
  readonly value: unknown;
  readonly text: string;
}

export const replyOf = (value: unknown): Reply => new ComputedReply(value);

class ComputedReply implements Reply {
  readonly value: unknown;
  #text: string | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

/** A reply from the cache. Each use of `value` parses the text again, because the receiver may change the value. */
export class CachedReply implements Reply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Reports that the client of a request disconnected before the answer was sent. Has those members of AbortSignal that a
 * waiting call uses, so an AbortSignal can be passed as well.
 */
export interface Departure {
  /** Becomes true when the client disconnects. The listeners are called at that time. */
  readonly aborted: boolean;
  /** Adds a listener, which is called once at most. A listener added after the client disconnected is not called. */
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The facts about the sender of a request, as a host passes them to Parley. */
export interface Sender {
  /** All values of the Authorization header, unparsed and in order. A token from the path is in `pathToken` instead. */
  readonly authorization: readonly string[];
  /**
   * The path segment in which a token is expected, not percent-decoded. Null if the request has such a segment, but the host
   * does not accept tokens in paths. Absent if the token is expected in the header.
   */
  readonly pathToken?: string | null | undefined;
  /** The address of the client. For a request that trusted proxies forwarded, the address that they report. */
  readonly address: string;
  /** Aborts when the client disconnects. A waiting poll of this client then ends immediately. */
  readonly signal?: Departure | undefined;
}

/** A REST request. Its headers were read; its body is read later by `readBody`. */
export interface RouteRequest extends Sender {
  readonly method: string;
  /** The raw path below the prefix, without the query: `/sessions/3Q…/turns`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly idempotencyKeys: readonly string[];
  /** Whether a page of another origin sent the request, as the browser reports it in Sec-Fetch-Site. */
  readonly isFromForeignPage?: boolean;
  /**
   * Reads the body. It is called at most once, and only after access was granted. Rejects with `BODY_TOO_LARGE`.
   *
   * @param maxChars maximum length in characters; default 200,000
   */
  readBody(maxChars?: number): Promise<string>;
}

export interface Answer {
  readonly status: number;
  /** The body, as JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * True if the answer may be compressed: only answers to reads, because they contain no token, code or key. The length
   * of a compressed answer can reveal a secret in it, if an attacker chose another text of the same answer (the BREACH
   * attack).
   */
  readonly mayCompress?: boolean;
}

/** The facts about a tool: its description and its input. The host decides how to present them. */
export interface ToolFacts {
  readonly name: string;
  readonly summary: string;
  readonly effect: Effect;
  /**
   * Whether an idempotency key makes the call repeatable: a second call with the same key changes nothing and gets the first
   * answer.
   */
  readonly takesIdempotencyKey: boolean;
  /** Whether the answer contains texts from the log, and can therefore be large. */
  readonly readsTexts: boolean;
  readonly inputSchema: JsonSchema;
}

/** An MCP request that was counted for the rate limit, and whose token was authenticated. */
export interface Admission {
  readonly role: Agent;
  readonly sessionId: string;
  /**
   * Counts further calls of a batch. If the calls exceed the rate limit, counts none of them and throws.
   *
   * @throws ParleyError RATE_LIMITED
   */
  charge(elements: number): Promise<void>;
  /** Authenticates the token again on the state that the storage has now. */
  confirm(): Promise<void>;
  /** The tools that this token can call, the most needed first. All tokens of a role get the same array. */
  readonly tools: readonly ToolFacts[];
  /**
   * Whether the tool with this name reads or writes. `name` is the name of a listed tool, or an older name of the tool
   * (Spec 4.3). Undefined for any other name.
   */
  effectOf(name: string): Effect | undefined;
  /**
   * Runs one tool.
   *
   * @param input the `arguments` object as parsed from JSON
   * @param maxWaitSeconds maximum seconds that this call may wait: the time that remains for the request
   * @returns the result, as a value and as its JSON text
   * @throws ParleyError for every refusal. If its JSON-RPC number is -32001, the host must answer the whole request with
   * this error; any other refusal is the result of the tool
   */
  callTool(name: string, input: unknown, maxWaitSeconds?: number): Promise<Reply>;
  /**
   * Like `callTool`, but takes the JSON text of `arguments`. Used if `parseJson` refuses that text.
   *
   * @throws ParleyError INVALID_INPUT with the place of the fault
   */
  callToolText(name: string, argumentsText: string, maxWaitSeconds?: number): Promise<Reply>;
}

/** A route of the registry, for documents and for hosts that register each route separately. */
export interface RouteListing {
  readonly method: 'GET' | 'POST';
  /** Path below the prefix. `:session_id` stands for the id of the session. */
  readonly path: string;
}

/** The functions of Parley that a host uses. A host contains no name of an operation, role or scope. */
export interface HostPort {
  readonly routes: readonly RouteListing[];
  /**
   * `joining` explains how a client without a token joins a session; hosts send it in the hint of the error for an
   * unknown path.
   */
  readonly service: { readonly name: string; readonly version: string; readonly joining: string };
  /** Answers one REST request. Never rejects: an error becomes an answer with an error body. */
  callRoute(request: RouteRequest): Promise<Answer>;
  /**
   * Counts a request that the host refuses before its token is checked.
   *
   * @throws ParleyError RATE_LIMITED
   */
  count(sender: Sender): Promise<void>;
  /**
   * Counts and authenticates an MCP request.
   *
   * @throws ParleyError RATE_LIMITED, UNAUTHORIZED, TOKEN_*, MODERATOR_*, SHUTTING_DOWN
   */
  admit(sender: Sender): Promise<Admission>;
  /**
   * Parses a JSON body. Also refuses some faults that `JSON.parse` accepts.
   *
   * @throws ParleyError INVALID_JSON; its message names the fault
   */
  parseJson(text: string): unknown;
  /** Converts any thrown value to an error that can be sent. An unknown value is reported and becomes INTERNAL. */
  toError(thrown: unknown): ParleyError;
  /** Refuses new requests with SHUTTING_DOWN, and answers every waiting poll with the current state. */
  drain(): Promise<void>;
}

/** The last event of a write. Its first event is not stored without it. */
export interface WriteEvent {
  readonly sessionId: string;
  readonly seq: number;
  readonly hash: string;
}

/** What a write of the owner with an Idempotency-Key has to do, so that it is stored once. */
export interface Keyed {
  /** The id of a session that the write creates. */
  readonly newSessionId: string;
  /** Stores the answer before the write is sent. @throws ParleyError IDEMPOTENCY_CONFLICT if another call has the key now */
  promise(event: WriteEvent, answer: unknown): Promise<void>;
}

/**
 * One call of an operation. If another write is stored first, the call is decided again, and `identify` runs again on the
 * newer state.
 */
export interface Call<S> {
  readonly operation: Operation<S>;
  readonly sessionId: string;
  /** Returns the caller. Throws if the caller may not make this call in the given state. */
  readonly identify: (state: S) => Caller;
  /**
   * Asks for what is not in the log of the session, such as who makes the call at present. Called before each decision of
   * a write, and before a read is answered; `identify` and `look` then use the answer. Rejects if nobody may make the call
   * any more.
   */
  readonly judge?: ((state: S) => Promise<void>) | undefined;
  /** The state as `decide` and `reply` get it. Its result is not folded, stored or cached. Absent: the state itself. */
  readonly look?: ((state: S) => S) | undefined;
  /** Throws the error for a session that does not exist. */
  readonly absent: () => never;
  /** A text that identifies who makes the call, such as the hash of the token. The long-polls of a holder are counted together. */
  readonly holder: string;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
  /** Called before the events of a write are sent, and again after each lost race. If it rejects, nothing is stored. */
  readonly promise?: Keyed['promise'] | undefined;
  /**
   * The state that the storage confirmed when the token of this request was checked. Undefined if the token was checked
   * on a state that the storage had not confirmed for this request.
   */
  readonly seen?: S | undefined;
  /** The client's connection. Its signal aborts when the client disconnects; only waiting calls use it. */
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}
