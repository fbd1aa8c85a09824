import { Stream } from 'node:stream';
import { answerText, type HostPort } from '@parley/core';
import { discardRest, type Outbox, processOutbox } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { answerError } from './errors.ts';
import { plainTarget } from './plain-target.ts';

/** A handler below a prefix. */
interface Answering {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly prefix: string;
  /** Sends the answers. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
}

/** Runs a handler for the paths at and below a prefix. Failures become error bodies, and nothing is cached. */
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

/** Koa sends a stream, and the outbox observes it; any other answer is JSON. */
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
