import type { StoredEvent } from '@parley/core';
import { parseOrNull } from '@parley/core';
import { z } from 'zod';

const Line = z.object({ hash: z.string(), event: z.string() });

/** Reads an exported log line by line. Lines that are not events are returned too, so that the verification reports them. */
export async function* readLogLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StoredEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let seq = 0;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield storedEvent(line, ++seq);
  }
  if (rest.trim() !== '') yield storedEvent(rest, ++seq);
}

function storedEvent(line: string, seq: number): StoredEvent {
  const { success, data } = Line.safeParse(parseOrNull(line));
  return success ? { seq, hash: data.hash, body: data.event } : { seq, hash: '', body: line };
}
