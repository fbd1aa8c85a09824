import { Readable } from 'node:stream';
import type { OwnerPort } from '@parley/core';
import type { Context } from 'koa';

interface LogRequest {
  readonly owner: OwnerPort;
  readonly sessionId: string;
  /**
   * Aborts when the reader's sign-in ends. The connection is then reset, so that the reader notices that the log is incomplete.
   */
  readonly ended: AbortSignal;
}

/**
 * Streams the log as JSON lines. Reads the first line before the headers are sent, so that an early error can still be
 * answered with an error body.
 */
export async function sendLog(ctx: Context, { owner, sessionId, ended }: LogRequest): Promise<void> {
  const lines = owner.exportLog(sessionId)[Symbol.asyncIterator]();
  const first = await lines.next();
  ctx.set({
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="parley-${sessionId}.jsonl"`,
  });
  const sent = new AbortController();
  ctx.res.once('close', () => sent.abort());
  ended.addEventListener('abort', () => ctx.res.destroy(), { signal: sent.signal });
  ctx.body = Readable.from(allLines(first, lines));
}

async function* allLines(first: IteratorResult<string>, lines: AsyncIterator<string>): AsyncGenerator<string> {
  for (let step = first; !step.done; step = await lines.next()) {
    yield step.value.endsWith('\n') ? step.value : `${step.value}\n`;
  }
}
