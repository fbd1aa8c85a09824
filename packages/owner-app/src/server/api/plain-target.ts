import { readTarget, type Target } from '@parley/http-host';
import type { Context } from 'koa';

/**
 * Replaces the request target by its path and query. Koa would parse an absolute target, or the Host header, as an
 * address, and would throw for some invalid host names.
 */
export function plainTarget(ctx: Context): Target {
  const target = readTarget(ctx.req.url);
  ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
  return target;
}
