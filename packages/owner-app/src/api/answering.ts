import type { HostPort } from '@parley/core';
import { discardRest } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { answerError } from './errors.ts';
import { plainTarget } from './plain-target.ts';

/** Runs for the paths at and below a prefix; failures leave in the one error shape, and nothing is cached. */
export function answering(
  parley: Pick<HostPort, 'toError'>,
  prefix: string,
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
  };
}
