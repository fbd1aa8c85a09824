import { parseEvents } from '../../../src/text/sent-events.ts';
import { load } from './client.ts';

interface Listening {
  readonly path: string;
  /** `seq` of the last event that the page has. */
  readonly after: number;
  readonly aborting: AbortSignal;
  readonly onOpen: () => void;
}

/**
 * Streams the events of a session until the connection ends. Uses fetch instead of EventSource, which cannot send the page key.
 *
 * @throws ApiError if the stream is refused or the server cannot be reached
 */
export async function* listen({ path, after, aborting, onOpen }: Listening): AsyncGenerator<string> {
  const { body } = await load(path, { after: String(after) }, aborting);
  onOpen();
  if (body) for await (const { data } of parseEvents(chunksOf(body))) yield data;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return;
    yield value;
  }
}
