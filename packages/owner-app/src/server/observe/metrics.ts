import type { CacheUse, Observer, Parley } from '@parley/core';
import type { AnsweredRequest } from '@parley/http-host';
import type { GroupListener } from '@parley/storage-pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
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
