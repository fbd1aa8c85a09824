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

/** Facts about a request by which its answer is checked. */
export interface Facts {
  readonly operation: Operation;
  readonly name: string;
  readonly sessionId: string;
  readonly role: SeatRole | 'owner';
  readonly token?: string;
  /** A text that only this write contains. */
  readonly marker?: string;
  readonly key?: string;
  readonly after?: number;
  readonly waitSeconds?: number;
  /** Whether the request counts towards the rate limit of its token. */
  readonly isCounted?: boolean;
}

/** A request that a host is processing. */
export interface Exchange {
  readonly number: number;
  readonly process: HostProcess;
  readonly facts: Facts;
  readonly beganAt: number;
  /** Number of the session's rollbacks when the request began. */
  readonly epoch: number;
  /** Number of the last event that an answer had shown when the request began. */
  readonly floor: number;
  readonly isTokenOver: boolean;
  readonly wasKeyAcknowledged: boolean;
}
