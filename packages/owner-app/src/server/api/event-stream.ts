import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { LoggedEvent, OwnerPort } from '@parley/core';
import type { Context } from 'koa';
import { eventRecord } from './event-record.ts';

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;

/**
 * A request for the events of one session, as server-sent events. The `id` of each is its seq. When a browser reconnects, it
 * sends the last `id` as Last-Event-ID, and the stream continues there.
 */
export interface EventStreamRequest {
  readonly owner: OwnerPort;
  readonly sessionId: string;
  /** Number of the last event that the reader already has. */
  readonly after: number;
  /** A signal that aborts when the reader's sign-in ends. */
  readonly ended: AbortSignal;
}

/**
 * Answers with the events after `after`: the stored ones, then each new one. Ends when the reader leaves, its sign-in ends or
 * the server drains.
 */
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

/**
 * Writes the events to the stream, and ends the stream, even if the storage fails. The reader then reconnects and continues
 * after the last event.
 */
async function pump(stream: PassThrough, events: AsyncIterable<LoggedEvent>, gone: AbortSignal): Promise<void> {
  const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
  try {
    for await (const event of events) {
      if (!stream.write(frame(event))) await once(stream, 'drain', { signal: gone });
    }
  } catch {
    // The error cannot be answered any more, because the head was sent already.
  } finally {
    clearInterval(heartbeat);
    stream.end();
  }
}

const frame = (event: LoggedEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(eventRecord(event))}\n\n`;
