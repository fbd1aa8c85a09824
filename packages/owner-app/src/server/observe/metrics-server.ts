import { answerNotFound, type Serving, serve } from '@parley/http-host';
import Koa, { type Middleware } from 'koa';
import { createHealthRoutes, type HealthOptions } from '../health.ts';
import { refuseForeignHosts } from '../host-names.ts';
import type { Metrics } from './metrics.ts';

/** Host and port at which the metrics are served. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /**
   * Host names for which the port answers, in addition to `host`, loopback names and IP addresses. Default: every name.
   */
  readonly hostNames?: readonly string[] | undefined;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` on a separate port, without a key. The answers contain no data of
 * sessions. `/metrics` is refused for an unknown host name, as at the port of the service.
 *
 * @throws Error with a message about what to change, if the port is not available
 */
export async function serveMetrics(metrics: Metrics, health: HealthOptions, address: MetricsAddress): Promise<Serving> {
  const { host, hostNames } = address;
  const app = new Koa();
  if (hostNames) app.use(refuseForeignHosts([host, ...hostNames]));
  app
    .use(createHealthRoutes(health))
    .use(answerMetrics(metrics))
    .use(answerNotFound('This port serves /metrics, /healthz and /readyz.'));
  // Koa logs no errors here, because the only errors come from clients that close their connection early.
  app.silent = true;
  return await serve(app, address).catch((cause: unknown) => refuseAddress(address, cause));
}

const answerMetrics =
  ({ text, contentType }: Metrics): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== '/metrics') return await next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      ctx.body = { ok: false, error: 'METHOD_NOT_ALLOWED', message: 'Read the metrics with GET.' };
      return;
    }
    ctx.set('Content-Type', contentType);
    ctx.body = await text();
  };

function refuseAddress({ host, port }: MetricsAddress, cause: unknown): never {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const hint = 'choose another address with PARLEY_METRICS_PORT and PARLEY_METRICS_HOST';
  throw new Error(`metrics cannot be served at port ${port} on ${host} (${reason}); ${hint}`, { cause });
}
