import type { z } from 'zod';
import type { ErrorCode } from '../error-kinds.ts';
import type { Limits } from '../limits.ts';
import type { EventDraft, LoggedEvent } from '../log/event.ts';
import type { Agent } from '../roles.ts';
import type { Permission, Scope } from '../scopes.ts';
import type { Secret, SecretPrefix } from '../token/token.ts';
import { type JsonSchema, publishedSchema } from './json-schema.ts';

/**
 * The callers that an operation accepts: a builder with the scope, a moderator (with the permission, if one is named), the
 * owner, or anybody.
 */
export interface Access {
  readonly builder?: Scope;
  readonly moderator?: Permission | true;
  readonly owner?: true;
  readonly anyone?: true;
}

/** `METHOD path`. The path is below `/sessions/{id}/`; if it begins with a slash, it is below the prefix itself. */
export type RestRoute = `${'GET' | 'POST'} ${string}`;

/** The owner. The embedding application or the owner's routes have authenticated it; Parley issues no token for the owner. */
interface OwnerCaller {
  readonly role: 'owner';
}

/** The holder of a token, or of an invitation code that is being redeemed. */
export interface AgentCaller {
  readonly role: Agent;
  /** SHA-256 of the token or of the code, hex. */
  readonly tokenHash: string;
  /** When the token or the code expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The authenticated caller of an operation; `role` distinguishes owner and agents. */
export type Caller = OwnerCaller | AgentCaller;

/** A warning: a text was accepted although a part of it looks like a credential. */
export interface InputWarning {
  readonly path: string;
  readonly rule: string;
}

/** Returns the text of a document that the operation's `documents` named. Throws for any other document. */
export type ReadDocument = (sha256: string) => string;

/** Input of `decide` in addition to state, input and caller. */
export interface DecideEnv {
  /** Time of the decision, ISO 8601 UTC; never before the time of the last event. */
  readonly now: string;
  /** The clock of this process, in milliseconds since 1970. Expiry times are computed from it. */
  readonly clockMs: number;
  readonly limits: Limits;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined;
  /** Mints a new secret. In one call, each use of the same prefix returns the same secret, in the reply too. */
  readonly mint: (prefix: SecretPrefix) => Secret;
  /** Returns the text of a document that `documents` named. */
  readonly document: ReadDocument;
  /** Warnings about the input. The kernel adds them to every answer except a replayed one. */
  readonly warnings: readonly InputWarning[];
}

/** Facts about the service. The addresses are absent if the operator has not configured them. */
export interface ServiceInfo {
  readonly name: string;
  readonly version: string;
  readonly baseUrl?: string | undefined;
  readonly mcpUrl?: string | undefined;
}

export interface ReplyContext {
  readonly caller: Caller;
  readonly now: string;
  /** The events that this call appended. For a replayed call: the event of the first call with the same idempotency key. */
  readonly events: readonly LoggedEvent[];
  /** The events that `reads` selected. */
  readonly loaded: readonly LoggedEvent[];
  /** Returns the text of a document that `documents` named or that this call stored. */
  readonly document: ReadDocument;
  readonly timedOut: boolean;
  readonly service: ServiceInfo;
  readonly mint: (prefix: SecretPrefix) => Secret;
}

/** The rule of a long-poll: how long the caller waits, and what ends the wait. */
interface WaitRule<S, I> {
  seconds(input: I): number | undefined;
  /**
   * Whether the wait ends.
   *
   * @param opened the state when the call arrived
   */
  isReady(state: S, input: I, caller: Caller, opened: S): boolean;
}

/** The record of an idempotency key: the event of its first use, and the payload. */
export interface IdempotencyRecord {
  readonly seq: number;
  readonly fingerprint: string;
}

/** The definition of an operation, as its file contains it. CONTRIBUTING.md explains the members. */
export interface OperationSpec<S, N extends string, I, O> {
  readonly name: N;
  /** One imperative sentence, shown to agents. */
  readonly summary: string;
  readonly rest?: RestRoute | { readonly builder: RestRoute; readonly moderator: RestRoute };
  readonly access: Access;
  /** Phases in which the operation works. Left out: it works in all phases. */
  readonly phases?: readonly string[];
  /**
   * The operation also works in DRAFT and PAUSED; used for reading, acknowledging and answering. `moderator`: it works for the
   * moderator alone, and in PAUSED but not in DRAFT; used for withdrawing and advising.
   */
  readonly worksWhilePaused?: true | 'moderator';
  /** The operation also works after the session has ended. For acknowledgements, which record what a reader has processed. */
  readonly worksAfterEnd?: true;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  readonly errors: readonly ErrorCode[];
  /** Finds the record of an idempotency key. If defined, the operation accepts idempotency keys. */
  findIdempotencyRecord?(state: S, key: string, caller: Caller): IdempotencyRecord | undefined;
  /** For calls without a token: returns the secret that the input contains. The secret names the session and its holder. */
  secretIn?(input: I): string;
  readonly waits?: WaitRule<S, I>;
  /**
   * Cache key of a read. The reply is cached until the state changes. Define a key only if the reply depends on nothing but
   * state, role, documents, whether a wait timed out, and the key.
   */
  cacheKey?(input: I): string;
  /** For a read: refuses the call with `fail` if the state does not allow it. Runs before the read waits or answers. */
  check?(state: S, input: I, caller: Caller): void;
  /** Numbers of the stored events that the reply needs. The reply gets the first of them, as many as fit into an answer. */
  reads?(state: S, input: I, caller: Caller): readonly number[];
  /** SHA-256 of each stored document that `decide` or the reply needs. */
  documents?(state: S, input: I, caller: Caller): readonly string[];
  /**
   * Expensive steps. They run before `decide`; after each the event loop runs. Each step must memoize its result, because
   * yielded values are ignored. Errors are ignored too: `decide` or `reply` throws the same error again.
   */
  precompute?(state: S, input: I, caller: Caller, document: ReadDocument): Iterable<unknown>;
  /** Decides a write; absent for a read. Pure and synchronous. Refuses with `fail`; returns [] if there is nothing to add. */
  decide?(state: S, input: I, caller: Caller, env: DecideEnv): readonly EventDraft[];
  /** Makes the answer from the state after the decided events. */
  reply(state: S, input: I, context: ReplyContext): O;
}

export interface Operation<S, N extends string = string, I = unknown, O = unknown> extends OperationSpec<S, N, I, O> {
  readonly inputSchema: JsonSchema;
}

/** Adds the members that are derived from a definition. */
export function completeOperation<S, N extends string, I, O>(spec: OperationSpec<S, N, I, O>): Operation<S, N, I, O> {
  return { ...spec, inputSchema: publishedSchema(spec.input) };
}

export type InputOf<Op> = Op extends { reply(state: never, input: infer I, context: never): unknown } ? I : never;
export type OutputOf<Op> = Op extends { reply(state: never, input: never, context: never): infer O } ? O : never;
