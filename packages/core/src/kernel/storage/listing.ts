/** The members of a session in the owner's list of sessions. They are stored beside the log, so a list needs no folding. */
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
