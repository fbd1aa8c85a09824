import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { EventDraft, Head, LoggedEvent } from '../log/event.ts';
import type { EventCatalog } from '../log/event-catalog.ts';
import type { Person, PersonRole } from '../person.ts';
import type { Agent, Permission, Presence, Role, Scope } from '../roles.ts';
import type { InboxPlace, Listing } from '../storage/storage.ts';
import type { Envelope } from '../token/certificate-keys.ts';
import type { Secret, SecretPrefix } from '../token/token.ts';
import { type JsonSchema, publishedSchema } from './json-schema.ts';

/** Where the servers of an installation answer agents: URLs, or paths at the address that the agent called. */
export interface Entrance {
  readonly rest?: string | undefined;
  readonly mcp?: string | undefined;
  /** The OpenAPI document. */
  readonly openApi?: string | undefined;
}

/**
 * Returns a text that explains how a client without a token joins a session. If an address is unknown, the text states
 * the end of its path, which Spec 4 defines.
 */
export function joiningHint({ rest, mcp, openApi }: Entrance): string {
  const restAddress = rest ?? '<REST address, which ends in /api/public/agent>';
  const mcpAddress = mcp ?? 'the address that ends in /api/public/mcp';
  return [
    `If you have an invitation code (pinv_...) and no token, exchange the code: POST ${restAddress}/invitations/redeem with the body {"code":"pinv_..."}.`,
    `Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to ${mcpAddress}, or over REST below ${restAddress}/sessions/{session_id}/. The first call is read_task (GET task).`,
    ...(openApi === undefined ? [] : [`GET ${openApi} describes the routes.`]),
    'If you have neither code nor token, ask the owner for an invitation.',
  ].join(' ');
}

/**
 * Who may call an operation. `builder`: the scope that a builder's token needs. `moderator`: the permission that the
 * moderator needs; true if it needs none. `owner`: the owner may call the operation; if the value is `approver`, a
 * person who acts for the owner needs that role. `anyone`: no token is needed.
 */
export interface Access {
  readonly builder?: Scope;
  readonly moderator?: Permission | true;
  readonly owner?: true | 'approver';
  readonly anyone?: true;
}

/** `METHOD path`. The path is below `/sessions/{id}/`; if it begins with a slash, it is below the prefix itself. */
export type RestRoute = `${'GET' | 'POST'} ${string}`;

/**
 * The owner as a caller. The owner has no token, because the embedding application or the owner's HTTP routes have authenticated
 * the owner.
 */
interface OwnerCaller {
  readonly role: 'owner';
  /** The person who acts for the owner. Absent if the application did not name one. */
  readonly person?: Person | undefined;
}

/** The holder of a token, or of an invitation code that is being redeemed. */
export interface AgentCaller {
  readonly role: Agent;
  /** SHA-256 of the token or of the invitation code, hex. */
  readonly tokenHash: string;
  /** Expiry time of the token or of the invitation code, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The authenticated caller of an operation. Its `role` distinguishes the owner from agents. */
export type Caller = OwnerCaller | AgentCaller;

/** A warning about a text that was stored although a part of it looks like a credential. */
export interface InputWarning {
  readonly path: string;
  readonly rule: string;
}

/** Returns the text of a document that the operation's `documents` named. Throws an error for any other hash. */
export type ReadDocument = (sha256: string) => string;

/** The arguments of `decide` in addition to state, input and caller. */
export interface DecideEnv {
  /** Time of the decision, ISO 8601 UTC; never before the time of the last event. */
  readonly now: string;
  /** The clock of this process, in milliseconds since 1970. Expiry times are computed from it. */
  readonly clockMs: number;
  readonly limits: Limits;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined;
  /** Creates a new secret. Within one call, the same prefix always gives the same secret, also in `reply`. */
  readonly mint: (prefix: SecretPrefix) => Secret;
  readonly document: ReadDocument;
  /** The events that the operation selected with `reads`. */
  readonly loaded: readonly LoggedEvent[];
  /** Warnings about the input. The kernel adds them to the answer, unless the call repeats an idempotency key. */
  readonly warnings: readonly InputWarning[];
  /**
   * Number of the latest event that this process has shown to the caller in an answer to a read. Undefined if it has
   * answered none.
   */
  readonly shownSeq: number | undefined;
}

/** Facts about the service. The addresses are absent if the operator has not set them. */
export interface ServiceInfo {
  readonly name: string;
  readonly version: string;
  readonly baseUrl?: string | undefined;
  readonly mcpUrl?: string | undefined;
  /**
   * Where agents reach the service: URLs if the operator has set them, otherwise the paths on which the servers of this
   * installation answer.
   */
  readonly entrance: Entrance;
  /** A text that explains how a client without a token joins a session. */
  readonly joining: string;
}

export interface ReplyContext {
  readonly caller: Caller;
  readonly now: string;
  /**
   * The events that this call appended. If the call repeats an idempotency key, the event of the first call with that key.
   */
  readonly events: readonly LoggedEvent[];
  /** The events that the operation selected with `reads`. */
  readonly loaded: readonly LoggedEvent[];
  /** Returns the text of a document that `documents` named or that this call stored. */
  readonly document: ReadDocument;
  readonly timedOut: boolean;
  /**
   * The present time and the latest call of each agent, for answers to the owner. `calls` is empty unless the operation
   * declares `readsPresence`.
   */
  readonly presence: Presence;
  readonly service: ServiceInfo;
  /** Signs a text of a type with the key of the installation. */
  readonly seal: (type: string, text: string) => Envelope;
  /** Returns the secret that `decide` has created for the prefix, or creates it. Throws in a read. */
  readonly mint: (prefix: SecretPrefix) => Secret;
}

/** How long a long-poll waits, and the condition that ends the wait. */
interface WaitRule<S, I> {
  seconds(input: I): number | undefined;
  /**
   * Whether the wait ends.
   *
   * @param opened the state when the call arrived
   */
  isReady(state: S, input: I, caller: Caller, opened: S): boolean;
}

/**
 * The first call with an idempotency key: the number of the event that the call stored, and the fingerprint of its
 * payload.
 */
export interface IdempotencyRecord {
  readonly seq: number;
  readonly fingerprint: string;
}

/** A write of the owner that was decided, for the sentence about it. */
interface Done<S, I, O> {
  readonly input: I;
  readonly answer: O;
  /** The state on which the write was decided. */
  readonly before: S;
  /** Returns the name of an agent, such as `Catalog agent (agent_a)`. */
  readonly nameOf: (role: string) => string;
}

/** The dialog in which the console asks the owner for the texts of a call. Its fields are the texts of the input. */
export interface OwnerDialog {
  /** The heading. `{hold_id}` stands for this member of the input. */
  readonly title: string;
  /** What the call will do. */
  readonly explanation: string;
  /** Label of the button that makes the call. */
  readonly confirm: string;
  /** Label of the button that opens the dialog beside a task or among the buttons for any time. Absent: only a tab has one. */
  readonly button?: string;
  /** The statuses of the session in which the owner can call the operation at any time, without a task. Absent: none. */
  readonly offered?: readonly string[];
}

/** The definition of an operation, as its file contains it. CONTRIBUTING.md explains the members. */
export interface OperationSpec<S, N extends string, I, O> {
  readonly name: N;
  /** One imperative sentence, shown to agents. */
  readonly summary: string;
  readonly rest?: RestRoute | { readonly builder: RestRoute; readonly moderator: RestRoute };
  /** Whether MCP has no tool for the operation, because only the command `parley` calls it. */
  readonly restOnly?: true;
  /** Maximum length of the body of its route, in characters. Default: 200,000. */
  readonly maxBodyChars?: number;
  readonly access: Access;
  /** Phases in which the operation works. Absent: it works in all phases. */
  readonly phases?: readonly string[];
  /**
   * Whether the operation also works in DRAFT and PAUSED. True for operations that read, acknowledge or answer.
   * `moderator`: it also works in PAUSED, but only for the moderator; for operations that withdraw or recommend.
   */
  readonly worksWhilePaused?: true | 'moderator';
  /** Whether the operation also works after the end of the session, as acknowledgements do. */
  readonly worksAfterEnd?: true;
  /**
   * Whether the operation also works if the session's owner has used up a limit. True for operations that end, stop or
   * revoke something.
   */
  readonly worksAtLimit?: true;
  readonly input: z.ZodType<I>;
  /** Other names under which members of the input are accepted, such as those of a similar operation: `{ answer: 'text' }`. */
  readonly otherNames?: Readonly<Record<string, string>>;
  readonly output: z.ZodType<O>;
  /** The errors that it raises besides those of all operations of its kind. Absent: none. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Only for writes of the owner: says what the call has done, in a sentence or a few. The command line and the console show it after
   * the call. It is made before the events are stored.
   */
  said?(done: Done<S, I, O>): string;
  /** Only for writes of the owner: how the console asks for the call. Absent: the console has a form of its own, or none. */
  readonly dialog?: OwnerDialog;
  /** Finds the first use of an idempotency key. Only operations with this function accept idempotency keys. */
  findIdempotencyRecord?(state: S, key: string, caller: Caller): IdempotencyRecord | undefined;
  /**
   * Only for operations without a token: returns the secret in the input, such as an invitation code. The secret
   * determines the session and the caller.
   */
  secretIn?(input: I): string;
  readonly waits?: WaitRule<S, I>;
  /**
   * The cache key of a read. The reply is cached until the state changes. Define it only if the reply depends on nothing
   * except the state, the role, the documents, whether a wait timed out, and this key.
   */
  cacheKey?(input: I): string;
  /** Only for reads of the owner: whether the reply uses `calls` in the `presence` of its context. */
  readonly readsPresence?: true;
  /** Only for reads: calls `fail` if the state does not allow the read. Runs before the read waits or answers. */
  check?(state: S, input: I, caller: Caller): void;
  /**
   * Numbers of the stored events that `decide`, or the reply of a read, needs. It gets the first of these events, as many
   * as fit into an answer.
   */
  reads?(state: S, input: I, caller: Caller): readonly number[];
  /** SHA-256 of each stored document that `decide` or the reply needs. */
  documents?(state: S, input: I, caller: Caller): readonly string[];
  /**
   * The expensive steps of a call, before `decide` and `reply`. Between two steps the event loop runs. Each step must
   * memoize its result; the yielded values are ignored. An error is ignored too, because `decide` or `reply` runs the step
   * again and throws the same error.
   */
  precompute?(state: S, input: I, caller: Caller, document: ReadDocument): Iterable<unknown>;
  /**
   * Decides a write: returns its events, [] if there is nothing to store, or throws by `fail`. Must be pure and
   * synchronous. Absent for a read.
   */
  decide?(state: S, input: I, caller: Caller, env: DecideEnv): readonly EventDraft[];
  /** Makes the answer. For a write, `state` includes the events of the write. */
  reply(state: S, input: I, context: ReplyContext): O;
}

export interface Operation<S, N extends string = string, I = unknown, O = unknown> extends OperationSpec<S, N, I, O> {
  readonly errors: readonly ErrorCode[];
  readonly inputSchema: JsonSchema;
}

export function completeOperation<S, N extends string, I, O>(spec: OperationSpec<S, N, I, O>): Operation<S, N, I, O> {
  return { errors: [], ...spec, inputSchema: publishedSchema(spec.input) };
}

/** Whether an operation can change the session. */
export type Effect = 'read' | 'write';

export const effectOf = ({ decide }: { readonly decide?: unknown }): Effect =>
  decide === undefined ? 'read' : 'write';

/** The role that a person needs to call an operation of the owner. */
export const roleNeeded = ({ access, decide }: { readonly access: Access; readonly decide?: unknown }): PersonRole => {
  if (effectOf({ decide }) === 'read') return 'viewer';
  return access.owner === 'approver' ? 'approver' : 'operator';
};

export type InputOf<Op> = Op extends { reply(state: never, input: infer I, context: never): unknown } ? I : never;
export type OutputOf<Op> = Op extends { reply(state: never, input: never, context: never): infer O } ? O : never;

/** The members that the kernel reads from every folded state. */
export interface SessionRoot {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly head: Head;
  /** Time of the last event, ISO 8601 UTC. */
  readonly at: string;
}

/** The write whose input `inspectInput` checks. */
interface Write<S> {
  readonly operation: Operation<S>;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
}

/** The functions and the catalog with which the kernel folds and writes a log. */
export interface LogDomain<S extends SessionRoot> {
  readonly catalog: EventCatalog;
  empty(sessionId: string): S;
  evolve(state: S, event: LoggedEvent): S;
  /** The events that open an action for each new obligation, and complete the actions whose obligations have ended. */
  settleObligations(state: S): readonly EventDraft[];
  listing(state: S): Listing;
}

/** The functions of the areas that the kernel calls. */
export interface Domain<S extends SessionRoot> extends LogDomain<S> {
  /** Version of the fold. Raise it with every change that makes a stored log fold into another state. */
  readonly foldVersion: number;
  /**
   * Finds the token with this hash in the state, and returns its holder.
   *
   * @throws ParleyError UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED
   */
  authenticate(state: S, tokenHash: string, nowMs: number): AgentCaller;
  /**
   * Finds the invitation with this hash in the state, and returns the agent that it invites. `invitedBy` is the id of the
   * person who made the invitation, if the event names one.
   *
   * @throws ParleyError INVITATION_INVALID
   */
  authenticateInvitation(state: S, codeHash: string, nowMs: number): AgentCaller & { readonly invitedBy?: string };
  /**
   * Checks whether an agent's token may call the operation. The owner needs no check: its operations are in another
   * registry, which accepts no agent's token.
   *
   * @throws ParleyError UNAUTHORIZED for a token that is not in the state, BUILDER_FORBIDDEN or MODERATOR_FORBIDDEN for an
   *   operation of another role, INSUFFICIENT_SCOPE or PERMISSION_DENIED for an operation that was not granted
   */
  checkScope(state: S, operation: Operation<S>, caller: AgentCaller): void;
  /** Throws if the operation does not work in the status or the phase of the session. */
  checkLifecycle(state: S, operation: Operation<S>, caller: Caller): void;
  /**
   * Throws QUOTA_EXHAUSTED if these events would exceed the amount that the role may add to the session, and LIMIT_EXCEEDED if the
   * role would have too many open records. Called after the search for open records that the events repeat.
   */
  checkLimits(state: S, role: Role, drafts: readonly EventDraft[], limits: Limits): void;
  /**
   * The open records that an event which an agent is about to store may repeat. `seqs`: numbers of the events with which the
   * author of the event made them. `apart`: members of the data that are compared with nothing, such as the id of the record.
   * Undefined: an event of this kind is stored each time.
   */
  openRecords(
    state: S,
    event: LoggedEvent,
    input: unknown,
  ): { readonly seqs: readonly number[]; readonly apart: readonly string[] } | undefined;
  /**
   * Checks the texts of an input. Returns the warnings for the answer.
   *
   * @throws ParleyError CREDENTIAL_REJECTED for a text that must not be stored
   */
  inspectInput(state: S, write: Write<S>): readonly InputWarning[];
  /**
   * The place of the session in its owner's inbox, as an append stores it. Null if nothing in the session
   * can be waiting for the owner.
   *
   * @param silentAfterMs milliseconds after which an agent counts as silent
   */
  inboxPlace(state: S, silentAfterMs: number): InboxPlace | null;
}
