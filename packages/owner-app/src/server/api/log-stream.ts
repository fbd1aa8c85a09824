import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { type LoggedEvent, type Owner, parseOrNull, type StoredEvent } from '@parley/core';
import { encodedStream } from '@parley/http-host';
import type { Context } from 'koa';
import { z } from 'zod';
import { linesOf } from '../../text/event-stream.ts';

/** An event as the owner API returns it: the members of its stored text, and its hash. */
const eventRecord = ({ seq, at, kind, v, actor, person, data, prevHash, hash }: LoggedEvent) => ({
  seq,
  at,
  kind,
  v,
  actor,
  ...(person ? { person } : {}),
  data,
  prev_hash: prevHash,
  hash,
});

/** Calls `run` when `signal` aborts, at once if it has aborted already, but not after `until` has aborted. */
function whenAborted(signal: AbortSignal, run: () => void, until: AbortSignal): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { signal: until });
}

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;

/**
 * A request for the events of one session as server-sent events. The `id` of a server-sent event is the `seq` of the
 * event. When a browser reconnects, it sends the last `id` as Last-Event-ID, and the stream continues after that event.
 */
interface EventStreamRequest {
  readonly owner: Pick<Owner, 'watch'>;
  readonly sessionId: string;
  /** Number of the last event that the client has already received. */
  readonly after: number;
  /** Number of the event after which the stream ends. If undefined, the stream continues with each new event. */
  readonly until?: number | undefined;
  /** Aborts when the client's sign-in ends. */
  readonly ended: AbortSignal;
  /** Whether the stream is compressed if the client accepts compression. */
  readonly compression: boolean;
}

/**
 * Sends the stored events after `after`, then each new event. The stream ends after the event `until`, or when the
 * client disconnects, its sign-in ends, or the service stops.
 */
export function streamEvents(
  ctx: Context,
  { owner, sessionId, after, until, ended, compression }: EventStreamRequest,
): void {
  const gone = new AbortController();
  const stream = new PassThrough();
  const leave = (): void => gone.abort();
  ctx.res.once('close', leave);
  whenAborted(ended, leave, gone.signal);
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  const encoded = compression ? encodedStream(ctx.req) : undefined;
  if (encoded) ctx.set(encoded.headers);
  ctx.body = encoded ? stream.pipe(encoded.gzip) : stream;
  stream.write(`retry: ${RETRY_MS}\n\n`);
  void pump(stream, owner.watch(sessionId, { after, signal: gone.signal }), { until, gone: gone.signal });
}

/**
 * Writes the events to the stream. If the storage fails, ends the stream, so that the client reconnects and continues
 * after the last event.
 */
async function pump(
  stream: PassThrough,
  events: AsyncIterable<LoggedEvent>,
  { until = Number.POSITIVE_INFINITY, gone }: { readonly until: number | undefined; readonly gone: AbortSignal },
): Promise<void> {
  const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
  try {
    for await (const event of events) {
      if (event.seq > until) return;
      if (!stream.write(frame(event))) await once(stream, 'drain', { signal: gone });
      if (event.seq === until) return;
    }
  } catch {
    // An error body cannot be sent any more, because the headers of the answer are already sent.
  } finally {
    clearInterval(heartbeat);
    stream.end();
  }
}

const frame = (event: LoggedEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(eventRecord(event))}\n\n`;

interface Lines {
  readonly lines: AsyncIterable<string>;
  /** File name under which a browser saves the answer. */
  readonly fileName: string;
  /**
   * Aborts when the client's sign-in ends. The connection is then reset, so that the client notices that lines are
   * missing.
   */
  readonly ended: AbortSignal;
}

/**
 * Streams JSON lines. Reads the first line before the headers are sent, so that an early error can still be answered
 * with an error body.
 */
export async function sendLines(ctx: Context, { lines: all, fileName, ended }: Lines): Promise<void> {
  const sent = new AbortController();
  ctx.res.once('close', () => sent.abort());
  whenAborted(ended, () => ctx.res.destroy(), sent.signal);
  const lines = all[Symbol.asyncIterator]();
  const first = await lines.next();
  ctx.set({
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  });
  ctx.body = Readable.from(allLines(first, lines));
}

async function* allLines(first: IteratorResult<string>, lines: AsyncIterator<string>): AsyncGenerator<string> {
  for (let step = first; !step.done; step = await lines.next()) {
    yield step.value.endsWith('\n') ? step.value : `${step.value}\n`;
  }
}

const Line = z.object({ hash: z.string(), event: z.string() });

/**
 * Reads an exported log line by line. A line that is not an event gets an empty hash, so that `verifyLog` reports this
 * line.
 */
export async function* readLogLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StoredEvent> {
  let seq = 0;
  for await (const line of linesOf(chunks)) yield storedEvent(line, ++seq);
}

/** The event of a line, with an empty hash if the line is not an event. */
export function storedEvent(line: string, seq: number): StoredEvent {
  const { success, data } = Line.safeParse(parseOrNull(line));
  return success ? { seq, hash: data.hash, body: data.event } : { seq, hash: '', body: line };
}
