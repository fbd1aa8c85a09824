import type { CacheUse, ParleyOptions } from '@parley/core';
import type { PostgresOptions } from '@parley/storage-pg';

/** Options of one host process, passed to the process as JSON. */
export interface HostOptions {
  readonly database: PostgresOptions;
  readonly redisUrl?: string;
  readonly limits?: NonNullable<ParleyOptions['limits']>;
  readonly sharedLimits?: boolean;
  readonly cache?: NonNullable<ParleyOptions['cache']>;
}

/** The first message that a host process sends. */
export interface Listening {
  readonly baseUrl: string;
  readonly mcpUrl: string;
}

export type Question = 'held polls' | 'longest block' | 'footprint' | 'drain';

/** The longest time in which one task kept the event loop from running others. */
export interface Block {
  /** Duration by the clock, including time in which other processes ran. */
  readonly wallMs: number;
  /** Processor time of the host process during the block. */
  readonly busyMs: number;
  /** The maximum in Node's histogram of event loop delays. */
  readonly histogramMs: number;
}

export interface Footprint {
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Bytes of buffers outside the JavaScript heap. */
  readonly externalBytes: number;
  /** Number of open sockets, pipes and pending requests. */
  readonly handles: number;
  readonly heldPolls: number;
  readonly caches: readonly CacheUse[];
}

export interface Asked {
  readonly id: number;
  readonly question: Question;
}

export interface Told {
  readonly id: number;
  readonly answer: unknown;
}
