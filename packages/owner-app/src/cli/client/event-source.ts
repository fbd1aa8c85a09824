import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { parseEvents } from '../../text/sent-events.ts';
import { watchLosses } from './lost-connection.ts';
import type { OwnerClient } from './owner-client.ts';
import type { Json } from './request.ts';

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
  const losses = watchLosses(onLost);
  for (;;) {
    let failure: unknown;
    try {
      const body = await client.stream(OWNER_ROUTES.events, { sessionId, headers: { 'last-event-id': last } });
      for await (const { id, data } of parseEvents(body)) {
        losses.hear();
        last = id;
        yield JSON.parse(data);
      }
    } catch (error) {
      failure = error;
    }
    await losses.pause(failure);
  }
}
