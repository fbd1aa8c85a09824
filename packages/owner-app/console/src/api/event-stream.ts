import { parseEvents } from '../../../src/text/sent-events.ts';
import { load } from './client.ts';

interface Listening {
  readonly path: string;
  /** Seq of the last event that is known already. */
  readonly after: number;
  readonly aborting: AbortSignal;
  readonly onOpen: () => void;
}

/**
 * The events of a session until the connection ends, however it ends. An EventSource cannot send the key of the page.
 *
 * @throws ApiError when there is no stream to be had
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
