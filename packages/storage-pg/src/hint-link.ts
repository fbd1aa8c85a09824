import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig, type QueryConfig } from 'pg';

const HEARTBEAT_MS = 10_000;
const ANSWER_MS = 5_000;
const GOODBYE_MS = 1_000;

/** One connection that listens. */
export interface HintLink {
  /** Sends payloads. What a broken connection loses is lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /** Resolves, and ends the connection, when it broke, when it no longer listens or when the signal comes. */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Rejects when the database cannot be reached. Resolves once LISTEN is in force. */
export async function openHintLink(
  connection: ClientConfig,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<HintLink> {
  const client = new Client({ ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  const lost = new Promise<false>((resolve) => {
    client.on('error', () => resolve(false));
    client.on('end', () => resolve(false));
  });
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  await client.connect();
  const ask = inTurn(client);
  const listening = { text: 'select 1 from pg_listening_channels() as c where c = $1', values: [channel] };
  await ask({ text: `listen "${channel}"` }).catch(async (error: unknown) => {
    await goodbye(client);
    throw error;
  });

  return {
    async notify(payloads) {
      const text = 'select pg_notify($1, payload) from unnest($2::text[]) as payload';
      await ask({ text, values: [channel, payloads] }).catch(() => undefined);
    },
    async untilLost(signal) {
      const ended = new AbortController();
      const isOver = Promise.race([lost, aborted(signal, ended.signal)]);
      while (await Promise.race([isOver, pause(HEARTBEAT_MS, true, { ref: false })])) {
        const answer = await ask(listening).catch(() => undefined);
        if (answer?.rowCount !== 1) break;
      }
      ended.abort();
      await goodbye(client);
    },
  };
}

/** One query at a time: the driver wants no second one on a busy connection. */
function inTurn(client: Client): (query: QueryConfig) => Promise<{ rowCount: number | null }> {
  let turn: Promise<unknown> = Promise.resolve();
  return (query) => {
    const answer = turn.then(() => client.query(query));
    turn = answer.catch(() => undefined);
    return answer;
  };
}

/** A connection that leads nowhere never says goodbye back. */
async function goodbye(client: Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(GOODBYE_MS, undefined, { ref: false })]);
}

/** Listens no longer than until `ended`: the signal outlives many connections. */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
