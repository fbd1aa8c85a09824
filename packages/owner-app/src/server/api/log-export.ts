import { Readable } from 'node:stream';
import { parseOrNull, type StoredEvent } from '@parley/core';
import type { Context } from 'koa';
import { z } from 'zod';
import { whenAborted } from './event-stream.ts';

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

/** Splits a UTF-8 text into lines. White space after the last line break is left out. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    for (const next of more) {
      yield begun.join('');
      begun = [next];
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

/** The event of a line, with an empty hash if the line is not an event. */
export function storedEvent(line: string, seq: number): StoredEvent {
  const { success, data } = Line.safeParse(parseOrNull(line));
  return success ? { seq, hash: data.hash, body: data.event } : { seq, hash: '', body: line };
}
