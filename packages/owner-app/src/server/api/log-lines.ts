import type { StoredEvent } from '@parley/core';
import { parseOrNull } from '@parley/core';
import { z } from 'zod';

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
