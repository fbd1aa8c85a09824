import type { createClient } from '@redis/client';
import { ANSWER_MS, type HintLink, watchLink } from './hint-link.ts';

/** Creates a Redis client; passed in, because the package is loaded only if it is used. */
export type CreateRedisClient = typeof createClient;

/** A connection to Redis 6 or newer that subscribes and publishes. */
export async function openRedisHintLink(
  create: CreateRedisClient,
  { url, channel }: { readonly url: string; readonly channel: string },
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const client = create({
    url,
    name: 'parley',
    // The client does not reconnect: `openLinkedHints` does, with random pauses so that processes do not reconnect in
    // step.
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
  // Asks through its own connection, because a user may lack the right to PUBSUB: a connection keeps its subscriptions.
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
