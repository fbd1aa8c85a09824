import type { createClient } from '@redis/client';
import { ANSWER_MS, type HintLink, watchLink } from './hint-link.ts';

/** Creates a Redis client. It is a parameter, because the package is loaded only if it is used. */
export type CreateRedisClient = typeof createClient;

/** Opens a connection to Redis 6 or newer that subscribes and publishes. */
export async function openRedisHintLink(
  create: CreateRedisClient,
  { url, channel }: { readonly url: string; readonly channel: string },
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const client = create({
    url,
    name: 'parley',
    // The client itself does not reconnect. `openLinkedHints` does, with random pauses, so that several processes do not
    // reconnect at the same moments.
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
    await client.connect();
    await client.subscribe(channel, onPayload);
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
  // Asks with PING on the connection itself, because the user may not be allowed to call PUBSUB. While a connection works, it
  // keeps its subscriptions.
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
