import { isIP } from 'node:net';
import { errorAnswer, ParleyError } from '@parley/core';
import { readTarget, writeAnswer } from '@parley/http-host';
import type { Middleware } from 'koa';

/** Paths of health probes. They are answered for every host name, because a probe may use an internal name. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests for an unknown host name. This prevents DNS rebinding, in which an attacker's domain resolves to
 * this server and the browser treats the attacker's page and this server as the same origin.
 *
 * Loopback names and IP addresses are always accepted, because they need no DNS. A request without a Host header is
 * accepted, because no browser sends such a request.
 *
 * @param hostNames names without a port; letter case and a dot at the end do not matter
 * @param logged middleware that logs a refused request. Default: refused requests are not logged
 */
export function refuseForeignHosts(
  hostNames: readonly string[],
  logged: Middleware = (_ctx, next) => next(),
): Middleware {
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
        `This service does not answer requests for the host name ${JSON.stringify(host.slice(0, 80))}.`,
      );
      ctx.respond = false;
      writeAnswer(ctx.req, ctx.res, errorAnswer(error));
    });
  };
}

/** Matches a Host header: an IPv6 address in brackets, a name, or an IPv4 address, each with or without a port. */
const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

const withoutDot = (name: string): string => name.toLowerCase().replace(/\.$/, '');
