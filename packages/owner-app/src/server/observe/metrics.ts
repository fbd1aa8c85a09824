import type { CacheUse, Observer, Parley } from '@parley/core';
import { type AnsweredRequest, answerNotFound, type Serving, serve } from '@parley/http-host';
import type { GroupListener } from '@parley/storage-pg';
import type { Middleware } from 'koa';
import Koa from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createHealthRoutes, type HealthOptions } from '../health.ts';
import { refuseForeignHosts } from '../host-names.ts';
import type { RetentionOutcome } from '../retain/sweep.ts';
import { METRICS, type MetricDefinition } from './definitions.ts';

/** The metrics of one process, in the text format of Prometheus. */
export interface Metrics {
  /** The observer for `createParley`. */
  readonly observer: Observer;
  /** The listener for the batches of `createPostgresStorage` and `createPgliteStorage`. */
  readonly onGroup: GroupListener;
  /** Counts a request. To be called in the `log` function of `createOwnerApp` and of the hosts. */
  countRequest(request: Pick<AnsweredRequest, 'path' | 'status' | 'cutOff'>): void;
  /** Counts a session that a sweep of the retention has processed. */
  countRetained(outcome: RetentionOutcome): void;
  /** At each scrape, reads the number of held polls and the sizes of the caches from `parley`. */
  readFrom(parley: Pick<Parley, 'heldPolls' | 'cacheUse' | 'service'>): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Creates the metrics of this process.
 *
 * @param options.ofProcess whether to include Node's own metrics, such as the lag of the event loop; default: true
 */
export function createMetrics({ ofProcess = true }: { readonly ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const requests = counter(registry, METRICS.requests);
  const cutOffs = counter(registry, METRICS.cutOffs);
  const retained = counter(registry, METRICS.retained);
  const groupSize = histogram(registry, METRICS.groupSize);
  return {
    observer: createObserver(registry),
    onGroup: (call, size) => groupSize.observe({ call }, size),
    countRequest({ path, status, cutOff }) {
      requests.inc({ side: sideOf(path), status });
      if (cutOff) cutOffs.inc({ reason: cutOff });
    },
    countRetained: (outcome) => retained.inc({ outcome }),
    readFrom: (parley) => addGauges(registry, parley),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function createObserver(registry: Registry): Observer {
  const operationSeconds = histogram(registry, METRICS.operationSeconds);
  const operationErrors = counter(registry, METRICS.operationErrors);
  const errors = counter(registry, METRICS.errors);
  const wakeSeconds = histogram(registry, METRICS.wakeSeconds);
  const appendRetries = counter(registry, METRICS.appendRetries);
  const storageSeconds = histogram(registry, METRICS.storageSeconds);
  const cacheReads = counter(registry, METRICS.cacheReads);
  const snapshots = counter(registry, METRICS.snapshots);
  const rateRefusals = counter(registry, METRICS.rateRefusals);
  return {
    operationEnded({ operation, kind, role, outcome }, ms) {
      operationSeconds.observe({ operation, kind, role }, ms / 1000);
      if (outcome !== 'ok') operationErrors.inc({ operation, code: outcome });
    },
    answeredError: (code) => errors.inc({ code }),
    woken: (ms) => wakeSeconds.observe(ms / 1000),
    raceLost: () => appendRetries.inc({ reason: 'race_lost' }),
    storageCalled({ call, outcome }, ms) {
      storageSeconds.observe({ call, outcome }, ms / 1000);
      if (outcome === 'unknown') appendRetries.inc({ reason: 'outcome_unknown' });
    },
    cacheRead: (cache, isHit) => cacheReads.inc({ cache, result: isHit ? 'hit' : 'miss' }),
    snapshotEnded: (outcome) => snapshots.inc({ outcome }),
    rateRefused: (window) => rateRefusals.inc({ window }),
  };
}

type Sources = Pick<Parley, 'heldPolls' | 'cacheUse' | 'service'>;

function addGauges(registry: Registry, { heldPolls, cacheUse, service }: Sources): void {
  gauge(registry, METRICS.heldPolls, (held) => held.set(heldPolls()));
  gauge(registry, METRICS.buildInfo, (info) => info.set({ version: service.version }, 1));
  const figures = [
    [METRICS.cacheBytes, 'bytes'],
    [METRICS.cacheLimitBytes, 'limitBytes'],
    [METRICS.cacheEntries, 'entries'],
  ] as const satisfies readonly (readonly [unknown, keyof CacheUse])[];
  for (const [definition, figure] of figures)
    gauge(registry, definition, (shown) => {
      for (const use of cacheUse()) shown.set({ cache: use.cache }, use[figure]);
    });
}

/**
 * The value of the label `side`, which stands in place of the path: agents over REST, agents over MCP, the owner, or
 * other.
 */
function sideOf(path: string): string {
  if (path.startsWith('/api/public/agent')) return 'rest';
  if (path.startsWith('/api/public/mcp')) return 'mcp';
  return path.startsWith('/owner/') ? 'owner' : 'other';
}

type Defined = Pick<MetricDefinition, 'name' | 'help' | 'labels' | 'series'>;

function counter<D extends Defined>(registry: Registry, definition: D): Counter<D['labels'][number]> {
  const { name, help, labels: labelNames, series = [] } = definition;
  const made = new Counter({ name, help, labelNames, registers: [registry] });
  for (const labels of series) made.inc(labels, 0);
  return made;
}

function histogram<D extends Defined & { readonly buckets: readonly number[] }>(
  registry: Registry,
  definition: D,
): Histogram<D['labels'][number]> {
  const { name, help, labels: labelNames, buckets, series = [] } = definition;
  const made = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
  for (const labels of series) made.zero(labels);
  return made;
}

function gauge<D extends Defined>(
  registry: Registry,
  { name, help, labels: labelNames }: D,
  read: (gauge: Gauge<D['labels'][number]>) => void,
): void {
  const made: Gauge<D['labels'][number]> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: () => read(made),
  });
}

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
