import type { Observer, Parley } from '@parley/core';
import type { AnsweredRequest, Serving } from '@parley/http-host';
import type { GroupListener } from '@parley/storage-pg';
import type { HealthOptions } from '../health.ts';
import type { RetentionOutcome } from '../retain/sweep.ts';
import { createMetrics } from './metrics.ts';
import { type MetricsAddress, serveMetrics } from './metrics-server.ts';
import { continuingTraces, createSpanOpener, isTracing, type Listener } from './spans.ts';

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
