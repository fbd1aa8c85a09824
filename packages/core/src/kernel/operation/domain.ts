import type { EventDraft, Head, LoggedEvent } from '../log/event.ts';
import type { EventCatalog } from '../log/event-catalog.ts';
import type { Role } from '../roles.ts';
import type { Listing } from '../storage/storage.ts';
import type { AgentCaller, Caller, DecideEnv, InputWarning, Operation } from './operation.ts';

/** The members that the kernel reads from every folded state. */
export interface SessionRoot {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly head: Head;
  /** Time of the last event, ISO 8601 UTC. */
  readonly at: string;
}

/** A write that is about to be decided. */
interface Write<S> {
  readonly operation: Operation<S>;
  readonly input: unknown;
  readonly idempotency?: DecideEnv['idempotency'];
}

/** Everything that the kernel calls in the areas. */
export interface Domain<S extends SessionRoot> {
  readonly catalog: EventCatalog;
  /** A number that is raised whenever the same log would fold into another state than before. */
  readonly foldVersion: number;
  empty(sessionId: string): S;
  /** Folds one event. Throws only if the log is corrupt. */
  evolve(state: S, event: LoggedEvent): S;
  /** Finds the token by its hash. Throws UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED. */
  authenticate(state: S, tokenHash: string, nowMs: number): AgentCaller;
  /** Finds the invitation by the hash of its code. Throws INVITATION_INVALID. */
  authenticateInvitation(state: S, codeHash: string, nowMs: number): AgentCaller;
  /**
   * Checks whether the token of an agent may call the operation. The owner is not checked: its operations are in a registry
   * that no token reaches. Throws UNAUTHORIZED for a token that is not in the state, BUILDER_FORBIDDEN or MODERATOR_FORBIDDEN
   * for an operation of another role, INSUFFICIENT_SCOPE or PERMISSION_DENIED for an operation that was not granted.
   */
  checkScope(state: S, operation: Operation<S>, caller: AgentCaller): void;
  /** Throws if the session's status or phase does not allow the operation to a token. */
  checkLifecycle(state: S, operation: Operation<S>, caller: Caller): void;
  /** Throws QUOTA_EXHAUSTED if the role may not add these events to the session. */
  checkQuota(state: S, role: Role, drafts: readonly EventDraft[]): void;
  /** Throws CREDENTIAL_REJECTED for text that must not be stored; returns the warnings for the answer. */
  inspectInput(state: S, write: Write<S>): readonly InputWarning[];
  /** The events that open and close actions, so that the open actions match the obligations of the state. */
  settleObligations(state: S): readonly EventDraft[];
  listing(state: S): Listing;
}
