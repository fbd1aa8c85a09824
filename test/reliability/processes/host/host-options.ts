import type { CacheUse, ParleyOptions } from '@parley/core';
import type { PostgresOptions } from '@parley/storage-pg';

/** What one host process is set to; sent to it as JSON. */
export interface HostOptions {
  readonly database: PostgresOptions;
  /** A Redis that carries the hints. */
  readonly redisUrl?: string;
  readonly limits?: NonNullable<ParleyOptions['limits']>;
  readonly sharedLimits?: boolean;
  readonly cache?: NonNullable<ParleyOptions['cache']>;
}

/** What a host process says first. */
export interface Listening {
  /** The agents' REST prefix. */
  readonly baseUrl: string;
  /** The MCP endpoint. */
  readonly mcpUrl: string;
}

/** What a host process can be asked beside its requests. */
export type Question = 'held polls' | 'longest block' | 'footprint' | 'drain';

/** The longest time for which the event loop could run nothing else. */
export interface Block {
  /** By the clock: this machine's other work included. */
  readonly wallMs: number;
  /** By the processor time the process used meanwhile, never above the clock's. */
  readonly busyMs: number;
  /** What the platform's own histogram says. */
  readonly histogramMs: number;
}

/** What a process holds. */
export interface Footprint {
  readonly rssBytes: number;
  /** Of JavaScript objects. */
  readonly heapBytes: number;
  /** Of buffers beside the heap. */
  readonly externalBytes: number;
  /** Sockets, pipes, requests under way. */
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
