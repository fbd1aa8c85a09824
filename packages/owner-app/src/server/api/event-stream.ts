import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { LoggedEvent, OwnerPort } from '@parley/core';
import type { Context } from 'koa';
import { eventRecord } from './event-record.ts';

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;

/** Server-sent events of one session: `id` is the seq, so that a browser resumes by itself with Last-Event-ID. */
export interface EventStreamRequest {
  readonly owner: OwnerPort;
  readonly sessionId: string;
  /** Number of the last event that the reader has. */
  readonly after: number;
  /** Aborts when the reader's sign-in ends. */
  readonly ended: AbortSignal;
}

/** Answers with the stored events after `after` and every new one, until the reader leaves, its sign-in ends or the server drains. */
export function streamEvents(ctx: Context, { owner, sessionId, after, ended }: EventStreamRequest): void {
  const gone = new AbortController();
  const stream = new PassThrough();
  const leave = (): void => gone.abort();
  ctx.res.once('close', leave);
  ended.addEventListener('abort', leave, { signal: gone.signal });
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  ctx.body = stream;
  stream.write(`retry: ${RETRY_MS}\n\n`);
  void pump(stream, owner.watch(sessionId, { after, signal: gone.signal }), gone.signal);
}

/** Ends the stream, also after a failure of the storage; the reader reconnects and continues after the last event. */
async function pump(stream: PassThrough, events: AsyncIterable<LoggedEvent>, gone: AbortSignal): Promise<void> {
  const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
  try {
    for await (const event of events) {
      if (!stream.write(frame(event))) await once(stream, 'drain', { signal: gone });
    }
  } catch {
    // After the head was sent, no error can be reported.
  } finally {
    clearInterval(heartbeat);
    stream.end();
  }
}

const frame = (event: LoggedEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(eventRecord(event))}\n\n`;
