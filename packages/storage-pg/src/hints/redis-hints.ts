import type { HintBroker } from './hints.ts';
import { openLinkedHints } from './linked-hints.ts';
import { type CreateRedisClient, openRedisHintLink } from './redis-hint-link.ts';

/**
 * Creates hints over Redis (6 or newer), for `createPostgresStorage({ hints })`. They use PUBLISH and SUBSCRIBE on one
 * channel and store nothing in Redis. The name of the channel contains a digest of the installation, so several
 * installations can share one Redis. If Redis is unavailable, no call fails: waiting calls then learn of changes by
 * other processes within ten seconds.
 *
 * @param url such as `redis://user:password@host:6379`, or `rediss://` for TLS
 * @throws Error if the package `@redis/client` is not installed, or the URL is invalid
 */
export async function createRedisHints(url: string): Promise<HintBroker> {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new TypeError('The URL of Redis must have the form redis://host:6379 or rediss://user:password@host:6380.');
  }
  const create = await loadClient();
  return {
    open: (installation, onStatus) =>
      openLinkedHints(
        async (onPayload) =>
          openRedisHintLink(create, { url, channel: `parley:hints:${await installation()}` }, onPayload),
        onStatus,
      ),
  };
}

async function loadClient(): Promise<CreateRedisClient> {
  try {
    const { createClient } = await import('@redis/client');
    return createClient;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new Error('Hints over Redis need the package @redis/client. Install it with: npm install @redis/client', {
      cause,
    });
  }
}
