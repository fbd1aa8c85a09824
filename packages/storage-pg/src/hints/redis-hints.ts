import { setTimeout as pause } from 'node:timers/promises';
import type { createClient } from '@redis/client';
import { ANSWER_MS, type HintBroker, type HintLink, openLinkedHints, watchLink } from './hints.ts';

/** The function that creates a Redis client. It is a parameter because the package is loaded only if Redis is used. */
type CreateRedisClient = typeof createClient;

async function silent(): Promise<never> {
  await pause(ANSWER_MS, undefined, { ref: false });
  throw new Error(`Redis has not answered for ${ANSWER_MS / 1000} seconds.`);
}

/** Opens a connection to Redis 6 or newer that subscribes and publishes. */
async function openRedisHintLink(
  create: CreateRedisClient,
  { url, channel }: { readonly url: string; readonly channel: string },
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const client = create({
    url,
    name: 'parley',
    // The client must not reconnect by itself. `openLinkedHints` reconnects after random pauses, so that several
    // processes do not reconnect at the same time.
    socket: { connectTimeout: ANSWER_MS, reconnectStrategy: false },
    commandOptions: { timeout: ANSWER_MS },
    disableOfflineQueue: true,
    RESP: 3,
  });
  const lost = new Promise<false>((resolve) => {
    client.on('error', () => resolve(false));
    client.on('end', () => resolve(false));
  });
  try {
    // The time limits of the client do not include the greeting of a server that accepts a connection and never answers.
    const begun = client.connect().then(() => client.subscribe(channel, onPayload));
    await Promise.race([begun, silent()]);
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
  // Sends PING on the subscribed connection, because the user may not have the permission for PUBSUB. A connection that
  // answers still has its subscription.
  const isListening = async (): Promise<boolean> => (await client.ping()) !== null;

  return {
    async notify(payloads) {
      await Promise.allSettled(payloads.map((payload) => client.publish(channel, payload)));
    },
    async untilLost(signal) {
      await watchLink({ lost, isListening }, signal);
      if (client.isOpen) client.destroy();
    },
  };
}

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
