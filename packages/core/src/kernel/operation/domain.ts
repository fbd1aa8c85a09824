import type { Limits } from '../limits.ts';
import type { EventDraft, Head, LoggedEvent } from '../log/event.ts';
import type { EventCatalog } from '../log/event-catalog.ts';
import type { Role } from '../roles.ts';
import type { Listing } from '../storage/listing.ts';
import type { InboxPlace } from '../storage/stored-inbox.ts';
import type { AgentCaller, Caller, DecideEnv, InputWarning, Operation } from './operation.ts';

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
