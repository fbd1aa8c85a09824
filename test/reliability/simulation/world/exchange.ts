import type { HostProcess } from './process.ts';

export type SeatRole = 'agent_a' | 'agent_b' | 'moderator';

export type Operation =
  | 'turn'
  | 'state'
  | 'messages'
  | 'write'
  | 'view'
  | 'transcript'
  | 'invite'
  | 'redeem'
  | 'plan'
  | 'revoke'
  | 'other';

/** What the ledger must know of a request to judge its answer. */
export interface Facts {
  readonly operation: Operation;
  readonly name: string;
  readonly sessionId: string;
  readonly role: SeatRole | 'owner';
  readonly token?: string;
  /** A text that no other request writes. */
  readonly marker?: string;
  /** Idempotency key. */
  readonly key?: string;
  readonly after?: number;
  readonly waitSeconds?: number;
  /** Whether the request counts in the window of its token. */
  readonly isCounted?: boolean;
}

/** A request while a host works on it. */
export interface Exchange {
  readonly number: number;
  readonly process: HostProcess;
  readonly facts: Facts;
  readonly beganAt: number;
  /** Rollbacks of the session so far. */
  readonly epoch: number;
  /** The last event that some answer vouched for before this request began. */
  readonly floor: number;
  readonly isTokenOver: boolean;
  readonly wasKeyAcknowledged: boolean;
}
