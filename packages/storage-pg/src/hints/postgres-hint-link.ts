import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig, escapeLiteral, type QueryConfig } from 'pg';
import { settle } from '../database/database.ts';
import { ANSWER_MS, type HintLink, watchLink } from './hints.ts';

const GOODBYE_MS = 1_000;

/** Opens a connection to PostgreSQL that listens on a channel. */
export async function openPostgresHintLink(
  connection: ClientConfig,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const settled = await settle({ ...connection, connectionTimeoutMillis: ANSWER_MS });
  const client = new Client({ ...settled, query_timeout: ANSWER_MS });
  const lost = new Promise<false>((resolve) => {
    client.on('error', () => resolve(false));
    client.on('end', () => resolve(false));
  });
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  await client.connect();
  const ask = oneByOne(client);
  const listening = { text: 'select 1 from pg_listening_channels() as c where c = $1', values: [channel] };
  await ask({ text: `listen "${channel}"` }).catch(async (error: unknown) => {
    await goodbye(client);
    throw error;
  });

  return {
    async notify(payloads) {
      // NOTIFY itself, with its values in the text: a SELECT of `pg_notify` is planned each time, and takes twice as long.
      // Unprepared, because behind a pooler a prepared statement may be gone, and a hint is sent once.
      const text = payloads.map((payload) => `notify "${channel}", ${escapeLiteral(payload)}`).join('; ');
      await ask({ text }).catch(() => undefined);
    },
    async untilLost(signal) {
      await watchLink({ lost, isListening: async () => (await ask(listening)).rowCount === 1 }, signal);
      await goodbye(client);
    },
  };
}

/**
 * Returns a function that runs queries one after another, because the driver allows only one query on a connection at a
 * time.
 */
function oneByOne(client: Client): (query: QueryConfig) => Promise<{ rowCount: number | null }> {
  let tail: Promise<unknown> = Promise.resolve();
  return (query) => {
    const answer = tail.then(() => client.query(query));
    tail = answer.catch(() => undefined);
    return answer;
  };
}

/** Ends the connection. Waits at most `GOODBYE_MS`, because an unreachable host never confirms the end. */
async function goodbye(client: Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(GOODBYE_MS, undefined, { ref: false })]);
}

/**
 * Computes an id of the installation from its secret. The id is the same in all processes, and does not reveal the
 * secret.
 */
export const installationId = (secret: string): string =>
  createHmac('sha256', secret).update('parley hints').digest('hex').slice(0, 32);
