import { parseEvents, watchSilence } from '../../../src/text/event-stream.ts';
import { load } from './client.ts';

interface Listening {
  readonly sessionId: string;
  /**
   * Selects the events: the events after number `after`, or the last `last` events. With `until`, events after that
   * number are not sent.
   */
  readonly range: Readonly<Partial<Record<'after' | 'last' | 'until', number>>>;
  readonly aborting: AbortSignal;
  readonly onOpen?: () => void;
}

/**
 * Streams the events of a session until the connection ends, or no byte has arrived for 45 seconds. It uses fetch,
 * because EventSource cannot send the page key.
 *
 * @throws ApiError if the stream is refused or the server cannot be reached
 */
export async function* listen({ sessionId, range, aborting, onOpen }: Listening): AsyncGenerator<string> {
  const query = Object.fromEntries(Object.entries(range).map(([name, seq]) => [name, String(seq)]));
  const line = new AbortController();
  const end = (): void => line.abort();
  const silence = watchSilence(end);
  // After a sleep of the machine or a change of the network, the connection is perhaps dead, and nothing says so.
  const { signal } = line;
  addEventListener('online', end, { signal });
  addEventListener('pageshow', silence.look, { signal });
  document.addEventListener('visibilitychange', silence.look, { signal });
  try {
    const { body } = await load(
      `/sessions/${encodeURIComponent(sessionId)}/events`,
      query,
      AbortSignal.any([aborting, signal]),
    );
    onOpen?.();
    if (body) for await (const { data } of parseEvents(chunksOf(body, silence.hear))) yield data;
  } finally {
    silence.stop();
    end();
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return;
    onChunk();
    yield value;
  }
}
