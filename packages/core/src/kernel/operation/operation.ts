import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { EventDraft, LoggedEvent } from '../log/event.ts';
import type { Agent } from '../roles.ts';
import type { Permission, Scope } from '../scopes.ts';
import type { Secret, SecretPrefix } from '../token/token.ts';
import { type JsonSchema, publishedSchema } from './json-schema.ts';

/** Who may call: a builder with the scope, a moderator (with the permission, if one is named), the owner, or anybody. */
export interface Access {
  readonly builder?: Scope;
  readonly moderator?: Permission | true;
  readonly owner?: true;
  readonly anyone?: true;
}

/** `METHOD path`, below `/sessions/{id}/`; with a leading slash below the prefix itself. */
export type RestRoute = `${'GET' | 'POST'} ${string}`;

/** The owner, as the embedding application or the owner's routes authenticated it. Parley gives the owner no token. */
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

/** The authenticated caller of an operation; `role` tells the two apart. */
export type Caller = OwnerCaller | AgentCaller;

/** Text of an input that was let in although it holds what looks like a credential. */
export interface InputWarning {
  readonly path: string;
  readonly rule: string;
}

/** Gives the text of a document that the operation named. Throws for one that it did not name. */
export type ReadDocument = (sha256: string) => string;

/** What `decide` may know beyond state, input and caller. */
export interface DecideEnv {
  /** ISO 8601 UTC, never before the last event. */
  readonly now: string;
  /** The clock of this process, in milliseconds since 1970; what ends at a time is counted from it. */
  readonly clockMs: number;
  readonly limits: Limits;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | undefined;
  /** One fresh secret per call and prefix; the reply sees the same. */
  readonly mint: (prefix: SecretPrefix) => Secret;
  /** The texts that `documents` asked for. */
  readonly document: ReadDocument;
  /** What the answer warns of; the kernel adds it to every answer but a repeated one. */
  readonly warnings: readonly InputWarning[];
}

/** What the service says of itself; the addresses are known only where an operator names them. */
export interface ServiceInfo {
  readonly name: string;
  readonly version: string;
  readonly baseUrl?: string | undefined;
  readonly mcpUrl?: string | undefined;
}

export interface ReplyContext {
  readonly caller: Caller;
  readonly now: string;
  /** The caller's own events: those appended by this call, or by the call that a repeated key stands for. */
  readonly events: readonly LoggedEvent[];
  /** The events that `reads` asked for. */
  readonly loaded: readonly LoggedEvent[];
  /** The texts that `documents` asked for, and those that this call stored. */
  readonly document: ReadDocument;
  readonly timedOut: boolean;
  readonly service: ServiceInfo;
  readonly mint: (prefix: SecretPrefix) => Secret;
}

/** A long-poll: how long the caller wants to wait, and what ends the wait. */
interface WaitRule<S, I> {
  seconds(input: I): number | undefined;
  /** @param opened the state when the call arrived */
  isReady(state: S, input: I, caller: Caller, opened: S): boolean;
}

/** What is kept of an idempotency key: the event of its first use, and the payload. */
export interface IdempotencyRecord {
  readonly seq: number;
  readonly fingerprint: string;
}

/** An operation as its file states it; see CONTRIBUTING for the anatomy. */
export interface OperationSpec<S, N extends string, I, O> {
  readonly name: N;
  /** One imperative sentence, shown to agents. */
  readonly summary: string;
  readonly rest?: RestRoute | { readonly builder: RestRoute; readonly moderator: RestRoute };
  readonly access: Access;
  /** Phases in which it works; left out for all. */
  readonly phases?: readonly string[];
  /**
   * Works in DRAFT and PAUSED as well (reading, acknowledging, answering); `moderator`: for the moderator alone, and in
   * PAUSED alone (taking back, advising).
   */
  readonly worksWhilePaused?: true | 'moderator';
  /** Works once the session has ended as well: it writes down what a reader has taken in. */
  readonly worksAfterEnd?: true;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  readonly errors: readonly ErrorCode[];
  /** Finds what is kept of an idempotency key; its presence makes the operation honour keys. */
  findIdempotencyRecord?(state: S, key: string, caller: Caller): IdempotencyRecord | undefined;
  /** For calls without a token: the secret in the input that names the session and the caller. */
  secretIn?(input: I): string;
  readonly waits?: WaitRule<S, I>;
  /**
   * For a read whose reply rests on state, role, documents and this text of the input alone: it is given again as long
   * as the state stays.
   */
  cacheKey?(input: I): string;
  /** For a read: refuses, by `fail`, what the state does not allow, before it waits or answers. */
  check?(state: S, input: I, caller: Caller): void;
  /** Numbers of stored events the reply needs. It gets as many as an answer can hold, from the first on. */
  reads?(state: S, input: I, caller: Caller): readonly number[];
  /** SHA-256 of the stored documents that `decide` and the reply need. */
  documents?(state: S, input: I, caller: Caller): readonly string[];
  /**
   * Heavy parts of `decide` and the reply, computed one by one before them and remembered: other work of the process
   * comes in between. Pure; what it throws, `decide` or the reply throws again.
   */
  precompute?(state: S, input: I, caller: Caller, document: ReadDocument): Iterable<unknown>;
  /** Left out for a read. Pure and synchronous; refuses by `fail`, returns [] when nothing is to be added. */
  decide?(state: S, input: I, caller: Caller, env: DecideEnv): readonly EventDraft[];
  /** Sees the state after the decided events. */
  reply(state: S, input: I, context: ReplyContext): O;
}

export interface Operation<S, N extends string = string, I = unknown, O = unknown> extends OperationSpec<S, N, I, O> {
  readonly inputSchema: JsonSchema;
}

/** Completes a specification with what is derived from it once. */
export function completeOperation<S, N extends string, I, O>(spec: OperationSpec<S, N, I, O>): Operation<S, N, I, O> {
  return { ...spec, inputSchema: publishedSchema(spec.input) };
}

export type InputOf<Op> = Op extends { reply(state: never, input: infer I, context: never): unknown } ? I : never;
export type OutputOf<Op> = Op extends { reply(state: never, input: never, context: never): infer O } ? O : never;
