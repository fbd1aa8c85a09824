import { createHash } from 'node:crypto';
import { Stream } from 'node:stream';
import { answerText, fail, type HostPort } from '@parley/core';
import {
  createBodyEncoder,
  discardRest,
  type EncodeBody,
  type Outbox,
  processOutbox,
  readTarget,
  type Target,
} from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { answerError } from './errors.ts';

/**
 * Replaces the request target by its path and query. Koa would parse an absolute target, or the Host header, as an
 * address, and would throw for some invalid host names.
 */
export function plainTarget(ctx: Context): Target {
  const target = readTarget(ctx.req.url);
  ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
  return target;
}

interface Answering {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly prefix: string;
  /** The outbox that sends the answers. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
  /** Encodes the bodies of answers. Default: bodies are not encoded. */
  readonly encodeBody?: EncodeBody | undefined;
}

interface Sending {
  readonly outbox: Outbox;
  readonly encodeBody: EncodeBody;
}

/**
 * Returns a middleware that runs a handler for the prefix and all paths below it. Errors become error bodies. The
 * headers forbid browsers and proxies to store an answer.
 */
export function answering(
  { parley, prefix, outbox = processOutbox, encodeBody = createBodyEncoder(false) }: Answering,
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
    await send(ctx, { outbox, encodeBody });
  };
}

/** Refuses a request whose method the route does not have. */
export function refuseMethod(ctx: Context, methods: Iterable<string>): never {
  ctx.set('Allow', [...methods].join(', '));
  return fail('METHOD_NOT_ALLOWED', `This route does not accept ${ctx.method}.`);
}

/**
 * Sends the answer of a handler. Koa itself sends a stream; the outbox sends every other answer as JSON. Answers to
 * reads may be compressed, because no read of the owner returns a token, code or key. A read that names the ETag of the
 * same answer (If-None-Match) gets 304 without a body.
 */
async function send(ctx: Context, { outbox, encodeBody }: Sending): Promise<void> {
  const { req: request, res: response, body } = ctx;
  const outgoing = { request, response, client: () => request.socket.remoteAddress ?? '' };
  if (body instanceof Stream) {
    outbox.watch(outgoing);
    return;
  }
  const text = answerText(body);
  const etag = isRead(ctx) && ctx.status === 200 ? etagOf(text) : undefined;
  const isKnown = etag !== undefined && ctx.get('If-None-Match') === etag;
  if (isKnown) ctx.status = 304;
  const mayCompress = isRead(ctx) && ctx.status < 300;
  const encoded = await encodeBody(request, { body: isKnown ? '' : text, mayCompress });
  ctx.respond = false;
  ctx.set({ ...(etag !== undefined && { ETag: etag }), ...encoded.headers });
  if (!isKnown) {
    ctx.type = 'json';
    ctx.length = Buffer.byteLength(encoded.body);
  }
  outbox.send(outgoing, encoded.body);
}

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** Weak, because the answer may be sent compressed. */
const etagOf = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
