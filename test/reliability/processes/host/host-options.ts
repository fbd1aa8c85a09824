import type { CacheUse, ParleyOptions } from '@parley/core';
import type { PostgresOptions } from '@parley/storage-pg';

/** Options of one host process, sent to it as JSON. */
export interface HostOptions {
  readonly database: PostgresOptions;
  /** URL of a Redis that carries the hints. */
  readonly redisUrl?: string;
  readonly limits?: NonNullable<ParleyOptions['limits']>;
  readonly sharedLimits?: boolean;
  readonly cache?: NonNullable<ParleyOptions['cache']>;
}

/** First message of a host process. */
export interface Listening {
  /** REST prefix for agents. */
  readonly baseUrl: string;
  /** URL of the MCP endpoint. */
  readonly mcpUrl: string;
}

/** Questions that the test can send to a host process. */
export type Question = 'held polls' | 'longest block' | 'footprint' | 'drain';

/** The longest time in which the event loop ran nothing else. */
export interface Block {
  /** Wall-clock time; includes the work of other processes. */
  readonly wallMs: number;
  /** Processor time that the process used meanwhile; never more than the wall-clock time. */
  readonly busyMs: number;
  /** The maximum of the event loop delay histogram of Node. */
  readonly histogramMs: number;
}

/** Memory and handles of a process. */
export interface Footprint {
  readonly rssBytes: number;
  /** Bytes of JavaScript objects. */
  readonly heapBytes: number;
  /** Bytes of buffers outside the heap. */
  readonly externalBytes: number;
  /** Number of sockets, pipes and pending requests. */
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
