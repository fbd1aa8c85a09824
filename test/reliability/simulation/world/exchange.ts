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

/** Facts about a request that the ledger needs to check its answer. */
export interface Facts {
  readonly operation: Operation;
  readonly name: string;
  readonly sessionId: string;
  readonly role: SeatRole | 'owner';
  readonly token?: string;
  /** A text unique to this request. */
  readonly marker?: string;
  /** Idempotency key. */
  readonly key?: string;
  readonly after?: number;
  readonly waitSeconds?: number;
  /** Whether the rate window of the token counts this request. */
  readonly isCounted?: boolean;
}

/** A request that a host is processing. */
export interface Exchange {
  readonly number: number;
  readonly process: HostProcess;
  readonly facts: Facts;
  readonly beganAt: number;
  /** Number of rollbacks of the session so far. */
  readonly epoch: number;
  /** Number of the last event that an answer had shown before this request began. */
  readonly floor: number;
  readonly isTokenOver: boolean;
  readonly wasKeyAcknowledged: boolean;
}
