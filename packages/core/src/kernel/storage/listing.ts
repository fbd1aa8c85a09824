/**
 * The facts about a session that the owner's list of sessions shows. They are stored beside the log, so that listing needs
 * no folding.
 */
export interface Listing {
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  /** Time of creation, ISO 8601 UTC. */
  readonly createdAt: string;
}

export interface ListedSession extends Listing {
  readonly sessionId: string;
  readonly seq: number;
}
