import { fail } from '@parley/core';
import { isFromForeignPage } from '@parley/http-host';
import type { Context } from 'koa';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that another site has started, according to the browser. The way in which the request is authenticated makes
 * no difference.
 *
 * @param publicUrl the address behind a proxy that rewrites Host
 * @throws ParleyError CROSS_SITE_REFUSED
 */
export function refuseCrossSite(ctx: Context, publicUrl?: string): void {
  if (!SAFE_METHODS.has(ctx.method) && isCrossSite(ctx, publicUrl))
    fail('CROSS_SITE_REFUSED', 'Another site started this request.');
}

function isCrossSite(ctx: Context, publicUrl: string | undefined): boolean {
  const said = isFromForeignPage(ctx.req);
  if (said !== undefined) return said;
  const origin = ctx.get('Origin');
  return origin !== '' && !ownHosts(ctx, publicUrl).includes(hostOf(origin));
}

const ownHosts = (ctx: Context, publicUrl: string | undefined): readonly string[] =>
  [ctx.get('Host').toLowerCase(), publicUrl ? hostOf(publicUrl) : ''].filter((host) => host !== '');

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');
