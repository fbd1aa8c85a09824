import type { EventDraft, Head, LoggedEvent } from '../log/event.ts';
import type { EventCatalog } from '../log/event-catalog.ts';
import type { Role } from '../roles.ts';
import type { Listing } from '../storage/storage.ts';
import type { AgentCaller, Caller, DecideEnv, InputWarning, Operation } from './operation.ts';

/** What every folded state shows to the kernel. */
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

/** All that the kernel knows of the areas. */
export interface Domain<S extends SessionRoot> {
  readonly catalog: EventCatalog;
  /** Another one whenever the same log folds into another state. */
  readonly foldVersion: number;
  empty(sessionId: string): S;
  /** Total: only a corrupt log throws. */
  evolve(state: S, event: LoggedEvent): S;
  /** Finds the token by its hash. Throws UNAUTHORIZED, TOKEN_REVOKED, TOKEN_EXPIRED, MODERATOR_STOPPED, MODERATOR_NOT_ENTITLED. */
  authenticate(state: S, tokenHash: string, nowMs: number): AgentCaller;
  /** Finds the invitation by the hash of its code. Throws INVITATION_INVALID. */
  authenticateInvitation(state: S, codeHash: string, nowMs: number): AgentCaller;
  /**
   * Checks what the token of an agent lets it call. The owner is not checked: its operations are in a registry that no
   * token reaches. Throws UNAUTHORIZED for a token that is not in the state, BUILDER_FORBIDDEN or MODERATOR_FORBIDDEN for
   * an operation of another role, INSUFFICIENT_SCOPE or PERMISSION_DENIED for one that was not granted.
   */
  checkScope(state: S, operation: Operation<S>, caller: AgentCaller): void;
  /** Throws what status and phase forbid to the holder of a token. */
  checkLifecycle(state: S, operation: Operation<S>, caller: Caller): void;
  /** Throws QUOTA_EXHAUSTED when the role may not make the session carry these events. */
  checkQuota(state: S, role: Role, drafts: readonly EventDraft[]): void;
  /** Throws CREDENTIAL_REJECTED for text that an agent must not write here; returns what the answer warns of. */
  inspectInput(state: S, write: Write<S>): readonly InputWarning[];
  /** System events that bring the open actions in step with what the state obliges to. */
  settleObligations(state: S): readonly EventDraft[];
  listing(state: S): Listing;
}
