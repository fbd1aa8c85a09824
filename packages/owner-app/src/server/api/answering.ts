import { Stream } from 'node:stream';
import { answerText, type HostPort } from '@parley/core';
import { createBodyEncoder, discardRest, type EncodeBody, type Outbox, processOutbox } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { answerError } from './errors.ts';
import { plainTarget } from './plain-target.ts';
import type { Reanswer, Rereads } from './rereads.ts';

interface Answering {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly prefix: string;
  /** The outbox that sends the answers. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
  /** Encodes the bodies of answers. Default: bodies are not encoded. */
  readonly encodeBody?: EncodeBody | undefined;
  /**
   * Shortens the answer to a read if the client already has an earlier answer to the same read. Default: answers are
   * not shortened.
   */
  readonly rereads?: Rereads | undefined;
}

interface Sending {
  readonly outbox: Outbox;
  readonly encodeBody: EncodeBody;
  readonly rereads: Rereads | undefined;
}

/**
 * Returns a middleware that runs a handler for the prefix and all paths below it. Errors become error bodies. The
 * headers forbid browsers and proxies to store an answer.
 */
export function answering(
  { parley, prefix, outbox = processOutbox, encodeBody = createBodyEncoder(false), rereads }: Answering,
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
    await send(ctx, { outbox, encodeBody, rereads });
  };
}

/**
 * Sends the answer of a handler. Koa itself sends a stream; the outbox sends every other answer as JSON. Answers to
 * reads may be compressed, because no read of the owner returns a token, code or key.
 */
async function send(ctx: Context, { outbox, encodeBody, rereads }: Sending): Promise<void> {
  const { req: request, res: response, body } = ctx;
  const outgoing = { request, response, client: () => request.socket.remoteAddress ?? '' };
  if (body instanceof Stream) {
    outbox.watch(outgoing);
    return;
  }
  const answer = answerAgain(ctx, rereads, answerText(body));
  const mayCompress = isRead(ctx) && answer.status < 300;
  const encoded = await encodeBody(request, { body: answer.text, mayCompress });
  ctx.respond = false;
  ctx.status = answer.status;
  ctx.set({ ...answer.headers, ...encoded.headers });
  if (answer.status !== 304) {
    ctx.type = 'json';
    ctx.length = Buffer.byteLength(encoded.body);
  }
  outbox.send(outgoing, encoded.body);
}

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** Shortens the answer to a successful read if the client already has an earlier answer to the same read. */
function answerAgain(ctx: Context, rereads: Rereads | undefined, text: string): Reanswer {
  const { status } = ctx;
  if (!rereads || status !== 200 || !isRead(ctx)) return { status, headers: {}, text };
  const read = {
    address: `${ctx.state.ownerId} ${ctx.url}`,
    known: ctx.get('If-None-Match'),
    takesPatch: ctx.get('A-IM') === 'json-patch',
  };
  return rereads(read, text);
}
