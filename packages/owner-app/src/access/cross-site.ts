import type { Context } from 'koa';
import { OwnerError } from '../api/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that a browser says another site started, whatever it is authenticated by.
 *
 * @param publicUrl the address behind a proxy that rewrites Host
 * @throws OwnerError CROSS_SITE_REFUSED
 */
export function refuseCrossSite(ctx: Context, publicUrl?: string): void {
  if (!SAFE_METHODS.has(ctx.method) && isCrossSite(ctx, publicUrl)) throw crossSite();
}

/** The same for a request that a cookie authenticates, where silence is no proof either. */
export function demandSameSite(ctx: Context, publicUrl?: string): void {
  if (SAFE_METHODS.has(ctx.method)) return;
  const isSilent = ctx.get('Sec-Fetch-Site') === '' && ctx.get('Origin') === '';
  if (isSilent || isCrossSite(ctx, publicUrl)) throw crossSite();
}

function isCrossSite(ctx: Context, publicUrl: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('Origin');
  return origin !== '' && !ownHosts(ctx, publicUrl).includes(hostOf(origin));
}

const ownHosts = (ctx: Context, publicUrl: string | undefined): readonly string[] =>
  [ctx.get('Host').toLowerCase(), publicUrl ? hostOf(publicUrl) : ''].filter((host) => host !== '');

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');

const crossSite = () => new OwnerError('CROSS_SITE_REFUSED', 'Another site started this request.');
