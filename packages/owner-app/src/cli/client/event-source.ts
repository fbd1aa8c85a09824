import type { SentEvent } from '@parley/core/client';
import { parseEvents } from '../../text/sent-events.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { checkedAnswer } from './checked-answer.ts';
import { watchLosses } from './lost-connection.ts';
import type { OwnerClient } from './owner-client.ts';

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
): AsyncGenerator<SentEvent> {
  let last = String(after);
  const losses = watchLosses(onLost);
  for (;;) {
    let failure: unknown;
    try {
      const body = await client.stream('watch', { sessionId, headers: { 'last-event-id': last } });
      for await (const { id, data } of parseEvents(body)) {
        losses.hear();
        yield numbered(client, id, data);
        last = id;
      }
    } catch (error) {
      failure = error;
    }
    await losses.pause(failure);
  }
}

/** Refuses what no service sends. The number of the event becomes a header of the next request. */
function numbered(client: OwnerClient, id: string, data: string): SentEvent {
  const event = /^\d{1,15}$/.test(id) ? client.parse(data) : undefined;
  if (event) return checkedAnswer<unknown>(client.url, 'watch', event) as SentEvent;
  throw new CliError(
    EXIT.REFUSED,
    `The server at ${client.url} is not a Parley server: an event of the session is not a numbered JSON object. Check PARLEY_URL.`,
  );
}
