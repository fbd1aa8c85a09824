import type { createClient } from '@redis/client';
import { ANSWER_MS, type HintLink, watchLink } from './hint-link.ts';

/** What makes a client of Redis; handed in, for the package is loaded only where it is used. */
export type CreateRedisClient = typeof createClient;

/** A connection to Redis 6 or newer that is subscribed, and publishes. */
export async function openRedisHintLink(
  create: CreateRedisClient,
  { url, channel }: { readonly url: string; readonly channel: string },
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const client = create({
    url,
    name: 'parley',
    // Connections are made anew here, with a wait that is never in step with other processes.
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
  // Of its own connection, so also where rights forbid PUBSUB: a connection keeps what it subscribed to.
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
