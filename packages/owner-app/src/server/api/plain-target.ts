import { readTarget, type Target } from '@parley/http-host';
import type { Context } from 'koa';

/**
 * Replaces the request target by its path and query: Koa parses the absolute form and the Host header as an address,
 * and throws for some invalid hosts.
 */
export function plainTarget(ctx: Context): Target {
  const target = readTarget(ctx.req.url);
  ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
  return target;
}
