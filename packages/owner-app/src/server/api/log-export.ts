import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { whenAborted } from './when-aborted.ts';

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
