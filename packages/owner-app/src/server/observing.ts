import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type CacheUse, isSessionId, type Observer, type Parley, type SpanFacts } from '@parley/core';
import { type AnsweredRequest, answerNotFound, type Serving, serve } from '@parley/http-host';
import type { GroupListener } from '@parley/storage-pg';
import type { Middleware } from 'koa';
import Koa from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createHealthRoutes, type HealthOptions } from './health.ts';
import { refuseForeignHosts } from './host-names.ts';
import type { RetentionOutcome } from './retain/retention.ts';

/** The definition of a metric, for prom-client, for docs/observability.md and for the tests of the dashboard. */
export interface MetricDefinition {
  readonly name: `parley_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /**
   * All combinations of label values, if they are fixed. The time series of these labels start at 0, so that the first
   * increase is visible.
   */
  readonly series?: readonly Readonly<Record<string, string>>[];
  readonly buckets?: readonly number[];
}

/**
 * Upper bounds of the buckets in seconds, from 0.1 ms for a read from memory to 30 s, which is more than a long-poll
 * takes.
 */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;
const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;

const define = <const D extends MetricDefinition>(definition: D): D => definition;

/** All metrics of Parley. A label never contains a token, an id, a text or a path. */
export const METRICS = {
  operationSeconds: define({
    name: 'parley_operation_duration_seconds',
    type: 'histogram',
    help: 'Seconds from the call of an operation to its answer or refusal. The time that a long poll waits is included.',
    labels: ['operation', 'kind', 'role'],
    buckets: SECONDS,
  }),
  operationErrors: define({
    name: 'parley_operation_errors_total',
    type: 'counter',
    help: 'Number of operations that were refused or failed, by error code.',
    labels: ['operation', 'code'],
  }),
  errors: define({
    name: 'parley_errors_total',
    type: 'counter',
    help: 'Number of errors that clients received, by code. Includes requests that named no operation.',
    labels: ['code'],
  }),
  requests: define({
    name: 'parley_http_requests_total',
    type: 'counter',
    help: 'Number of answered HTTP requests, by side (kind of client) and status. Status 499: the client closed the connection before the answer.',
    labels: ['side', 'status'],
  }),
  cutOffs: define({
    name: 'parley_http_cut_offs_total',
    type: 'counter',
    help: 'Connections that the service closed because the client did not read its answers or did not finish a body, by the exceeded limit.',
    labels: ['reason'],
    series: ['client_bytes', 'process_bytes', 'stalled', 'unfinished_bodies'].map((reason) => ({ reason })),
  }),
  heldPolls: define({
    name: 'parley_held_polls',
    type: 'gauge',
    help: 'Requests that now wait for an event: long polls of agents, and open event streams of the owner.',
    labels: [],
  }),
  wakeSeconds: define({
    name: 'parley_wake_duration_seconds',
    type: 'histogram',
    help: 'Seconds from the moment this process learned of an event to the answer of a waiting request.',
    labels: [],
    buckets: SECONDS,
  }),
  appendRetries: define({
    name: 'parley_append_retries_total',
    type: 'counter',
    help: 'Writes that were tried again because another write to the session came first, or the storage did not confirm them.',
    labels: ['reason'],
    series: [{ reason: 'race_lost' }, { reason: 'outcome_unknown' }],
  }),
  storageSeconds: define({
    name: 'parley_storage_duration_seconds',
    type: 'histogram',
    help: 'Duration of one append or fetch in seconds, including the time until its SQL statement was sent.',
    labels: ['call', 'outcome'],
    series: [
      ...['ok', 'refused', 'unknown', 'failed'].map((outcome) => ({ call: 'append', outcome })),
      ...['ok', 'failed'].map((outcome) => ({ call: 'fetch', outcome })),
    ],
    buckets: SECONDS,
  }),
  groupSize: define({
    name: 'parley_group_size',
    type: 'histogram',
    help: 'Number of calls that were sent in one SQL statement.',
    labels: ['call'],
    series: [{ call: 'append' }, { call: 'fetch' }, { call: 'count' }],
    buckets: SIZES,
  }),
  cacheReads: define({
    name: 'parley_cache_reads_total',
    type: 'counter',
    help: 'Number of look-ups in a cache, by cache and result. After a miss in the cache named sessions, the state of a session is computed from the log, or from a snapshot and the events after it.',
    labels: ['cache', 'result'],
    series: ['sessions', 'events', 'documents', 'answers'].flatMap((cache) => [
      { cache, result: 'hit' },
      { cache, result: 'miss' },
    ]),
  }),
  cacheBytes: define({
    name: 'parley_cache_bytes',
    type: 'gauge',
    help: 'Estimated bytes of the entries that a cache holds now.',
    labels: ['cache'],
  }),
  cacheLimitBytes: define({
    name: 'parley_cache_limit_bytes',
    type: 'gauge',
    help: 'Bytes above which a cache evicts its least recently used entries.',
    labels: ['cache'],
  }),
  cacheEntries: define({
    name: 'parley_cache_entries',
    type: 'gauge',
    help: 'Number of entries that a cache holds now: sessions, events or documents.',
    labels: ['cache'],
  }),
  snapshots: define({
    name: 'parley_snapshots_total',
    type: 'counter',
    help: 'Snapshots of long sessions that were written or read, by outcome.',
    labels: ['outcome'],
    series: ['saved', 'refused', 'failed', 'used', 'lost', 'unreadable'].map((outcome) => ({ outcome })),
  }),
  rateRefusals: define({
    name: 'parley_rate_refusals_total',
    type: 'counter',
    help: 'Requests that were refused because a rate limit was reached, by limit.',
    labels: ['window'],
    series: ['token', 'address', 'redeem', 'person', 'forged'].map((window) => ({ window })),
  }),
  retained: define({
    name: 'parley_retained_sessions_total',
    type: 'counter',
    help: 'Ended sessions that were due to be erased, by what happened: erased; held by a moderator; changed during the export; failed. Sessions with the last three outcomes stay, and are tried again.',
    labels: ['outcome'],
    series: ['erased', 'held', 'changed', 'failed'].map((outcome) => ({ outcome })),
  }),
  buildInfo: define({
    name: 'parley_build_info',
    type: 'gauge',
    help: 'Always 1. The label version is the version of this process.',
    labels: ['version'],
  }),
} as const;

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

const TRACER = 'parley';

/**
 * Whether a tracer provider is registered. Without a provider, the server neither opens spans nor reads trace headers.
 */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/**
 * Returns a function that opens an OpenTelemetry span for each operation, and child spans for its appends and fetches.
 * A fetch outside of an operation gets no span.
 */
export function createSpanOpener(tracer: Tracer = trace.getTracer(TRACER)): Required<Pick<Observer, 'openSpan'>> {
  return {
    openSpan(facts) {
      if (facts.work !== 'operation' && !trace.getSpan(context.active())) return undefined;
      const span = tracer.startSpan(`parley.${facts.operation ?? facts.work}`, { attributes: attributesOf(facts) });
      const current = trace.setSpan(context.active(), span);
      return {
        run: (begin) => context.with(current, begin),
        end({ outcome, role }) {
          span.setAttribute('parley.outcome', outcome);
          if (role !== undefined) span.setAttribute('parley.role', role);
          if (FAULTS.has(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
          span.end();
        },
      };
    },
  };
}

/**
 * Error codes and outcomes for which a span counts as failed. Any other code is a refusal, which is not a failure of
 * the service.
 */
const FAULTS: ReadonlySet<string> = new Set(['INTERNAL', 'STORAGE_UNAVAILABLE', 'failed', 'unknown']);

/** The attributes of a span. An invalid session id is left out, because a caller may have sent a token in its place. */
function attributesOf({ operation, sessionId }: SpanFacts): Attributes {
  return {
    ...(operation === undefined ? {} : { 'parley.operation': operation }),
    ...(sessionId !== undefined && isSessionId(sessionId) ? { 'parley.session_id': sessionId } : {}),
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Handles each request inside the trace that its header `traceparent` names. If a span is already active, the listener
 * runs inside that span.
 */
export const continuingTraces =
  (listener: Listener): Listener =>
  (request, response) => {
    const here = context.active();
    if (trace.getSpan(here)) return listener(request, response);
    return context.with(propagation.extract(here, request.headers), listener, undefined, request, response);
  };

/** Metrics and traces of a server. Both are optional. */
export interface Observing {
  readonly observer: Observer | undefined;
  readonly onGroup: GroupListener | undefined;
  countRequest(request: AnsweredRequest): void;
  countRetained(outcome: RetentionOutcome): void;
  tracing(listener: Listener): Listener;
  /** Serves the metrics, if an address for them is configured. */
  serve(parley: Parley, health: HealthOptions): Promise<Serving | undefined>;
}

/**
 * Creates metrics and traces. Spans are created only if a tracer provider is registered.
 *
 * @param address where the metrics are served; if undefined, there are no metrics
 */
export function createObserving(address: MetricsAddress | undefined): Observing {
  const metrics = address && createMetrics();
  const spans = isTracing() ? createSpanOpener() : undefined;
  return {
    observer: metrics || spans ? { ...metrics?.observer, ...spans } : undefined,
    onGroup: metrics?.onGroup,
    countRequest: (request) => metrics?.countRequest(request),
    countRetained: (outcome) => metrics?.countRetained(outcome),
    tracing: (listener) => (spans ? continuingTraces(listener) : listener),
    async serve(parley, health) {
      if (!metrics) return undefined;
      metrics.readFrom(parley);
      return await serveMetrics(metrics, health, address);
    },
  };
}
