import { isIP } from 'node:net';
import { errorHeaders, ParleyError } from '@parley/core';
import { readTarget, writeAnswer } from '@parley/http-host';
import type { Middleware } from 'koa';

/** Health probes are served under every name, because they use the internal name of the process. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests with an unknown host name, against DNS rebinding: a page whose domain resolves to this server is
 * same-origin with it.
 * Loopback names and IP addresses are always served, because nobody can redirect them. A request without a Host does
 * not come from a browser.
 * @param hostNames without a port; letter case and a dot at the end do not count
 * @param logged wraps the handling of a request that the log shows
 */
export function refuseForeignHosts(hostNames: readonly string[], logged: Middleware): Middleware {
  const served = new Set(['localhost', ...hostNames.map(withoutDot)]);
  const isServed = (host: string): boolean => {
    const [, address = '', name = ''] = HOST.exec(host) ?? [];
    const plain = withoutDot(name);
    return isIP(address) === 6 || isIP(name) === 4 || served.has(plain) || plain.endsWith('.localhost');
  };
  return async (ctx, next) => {
    const { host = '' } = ctx.req.headers;
    if (host === '' || isServed(host) || PROBES.has(readTarget(ctx.req.url).path)) return await next();
    await logged(ctx, async () => {
      const error = new ParleyError(
        'HOST_NOT_SERVED',
        `This service has no host name ${JSON.stringify(host.slice(0, 80))}.`,
      );
      ctx.respond = false;
      writeAnswer(ctx.req, ctx.res, {
        status: error.status,
        headers: errorHeaders(error),
        body: JSON.stringify(error.body()),
      });
    });
  };
}

/** An IPv6 address in brackets, or a name or IPv4 address; then optionally a port. */
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

const withoutDot = (name: string): string => name.toLowerCase().replace(/\.$/, '');
