import { Stream } from 'node:stream';
import { answerText, type HostPort } from '@parley/core';
import { discardRest, type Outbox, processOutbox } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { answerError } from './errors.ts';
import { plainTarget } from './plain-target.ts';

/** The prefix below which a handler answers, and the parts of the server that it needs. */
interface Answering {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly prefix: string;
  /** The outbox that sends the answers. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
}

/** Runs a handler for the prefix and all paths below it. Errors are sent as error bodies. No answer may be cached. */
export function answering(
  { parley, prefix, outbox = processOutbox }: Answering,
  handle: (ctx: Context) => Promise<void>,
): Middleware {
  return async (ctx, next) => {
    const { path } = plainTarget(ctx);
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
    try {
      await handle(ctx);
    } catch (thrown) {
      const { status, headers, body } = answerError(thrown, parley.toError);
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
      discardRest(ctx.req);
    }
    send(ctx, outbox);
  };
}

/** Sends the answer of a handler. Koa sends a stream, and the outbox only observes it. Any other answer is sent as JSON. */
function send(ctx: Context, outbox: Outbox): void {
  const { req: request, res: response, body } = ctx;
  const outgoing = { request, response, client: () => request.socket.remoteAddress ?? '' };
  if (body instanceof Stream) {
    outbox.watch(outgoing);
    return;
  }
  const text = answerText(body);
  ctx.respond = false;
  ctx.type = 'json';
  ctx.length = Buffer.byteLength(text);
  outbox.send(outgoing, text);
}
