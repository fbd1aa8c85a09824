import { readTarget, type Target } from '@parley/http-host';
import type { Context } from 'koa';

/**
 * Reads what a request asks for from its target alone, and leaves only that behind: Koa parses the absolute form and the
 * Host header into an address, and fails at hosts that are none.
 */
export function plainTarget(ctx: Context): Target {
  const target = readTarget(ctx.req.url);
  ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
  return target;
}
