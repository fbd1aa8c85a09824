import { setTimeout as sleep } from 'node:timers/promises';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { parseEvents } from '../../text/sent-events.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { OwnerClient } from './owner-client.ts';
import type { Json } from './request.ts';

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };

interface Following {
  readonly sessionId: string;
  /** Number of the last event that the caller has. */
  readonly after: number;
  /** Called when a request fails or the stream breaks. Not called again before the next event arrives. */
  readonly onLost: (reason: string) => void;
}

/**
 * Streams the events of a session until the caller stops. If the connection is lost, another connection continues after
 * the last event. If the server refuses permanently, rejects with CliError.
 */
export async function* followEvents(
  client: OwnerClient,
  { sessionId, after, onLost }: Following,
): AsyncGenerator<Json> {
  let last = String(after);
  let failures = 0;
  let isReported = false;
  for (;;) {
    try {
      const body = await client.stream(OWNER_ROUTES.events, { sessionId, headers: { 'last-event-id': last } });
      for await (const { id, data } of parseEvents(body)) {
        failures = 0;
        isReported = false;
        last = id;
        yield JSON.parse(data);
      }
    } catch (error) {
      if (error instanceof CliError && error.exitCode !== EXIT.UNREACHABLE && !isPassing(error)) throw error;
      if (!isReported) onLost(error instanceof Error ? error.message : String(error));
      isReported = true;
    }
    failures += 1;
    // Imported after a lost connection only, so that commands start faster.
    const { backOffMs } = await import('@parley/core');
    await sleep(backOffMs(failures, { ...BACK_OFF, random: Math.random() }));
  }
}

/** Whether an error is temporary, such as the status 503 of a server that restarts. */
const isPassing = ({ body }: CliError): boolean =>
  body?.error === 'SHUTTING_DOWN' || body?.error === 'STORAGE_UNAVAILABLE';
