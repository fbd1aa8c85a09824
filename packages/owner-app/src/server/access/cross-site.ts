import { fail } from '@parley/core';
import { isFromForeignPage } from '@parley/http-host';
import type { Context } from 'koa';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write if a page of another site sent it, according to the browser. Reads are not checked.
 *
 * @param publicUrl address of the server, if a proxy rewrites the Host header
 * @throws ParleyError CROSS_SITE_REFUSED
 */
export function refuseCrossSite(ctx: Context, publicUrl?: string): void {
  if (!SAFE_METHODS.has(ctx.method) && isCrossSite(ctx, publicUrl))
    fail('CROSS_SITE_REFUSED', 'According to the browser, a page of another site sent this request.');
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
